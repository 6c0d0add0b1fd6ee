import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGETS } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MODULES = join(ROOT, "node_modules");

/** Libraries inside Neutralino's program, as listed in Neutralino's README. */
const IN_NEUTRALINO = [
  "websocketpp (BSD-3-Clause), Copyright (c) 2014, Peter Thorson",
  "asio (BSL-1.0), Copyright (c) 2003-2021 Christopher M. Kohlhoff",
  "cpp-httplib (MIT), Copyright (c) 2026, Yuji Hirose",
  "Mbed TLS (Apache-2.0), Copyright (c) 2026, The Mbed TLS Contributors",
  "JSON for Modern C++ (MIT), Copyright (c) 2013-2022 Niels Lohmann",
  "webview (MIT), Copyright (c) 2017 Serge Zaitsev",
  "tray (MIT), Copyright (c) 2017 Serge Zaitsev",
  "portable-file-dialogs (WTFPL), Copyright (c) 2018-2022 Sam Hocevar",
  "base64 (MIT), Copyright (c) 2019 Tobias Locker",
  "PlatformFolders (MIT), Copyright (c) 2015 Poul Sander",
  "Easylogging++ (MIT), Copyright (c) 2012-2018 Amrayn Web Services, (c) 2012-2018 @abumusamq",
  "tiny-process-library (MIT), Copyright (c) 2015-2020 Ole Christian Eidheim",
  "clip (MIT), Copyright (c) 2015-2021 David Capello",
  "infoware (CC0-1.0), nabijaczleweli and ThePhD",
  "efsw (MIT), Copyright (c) 2020 Martín Lucas Golini",
  "postject (MIT), Copyright (c) 2022 Postman, Inc",
  "libtrashcan (MIT), Copyright (c) 2019 Robert Gützkow",
];

/** Build tools, which are not part of the app. */
const BUILD_TOOLS = ["@tailwindcss/cli", "esbuild"];

const NODES = TARGETS.map(({ node }) => node.package);

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * The authors and licences of all parts of a package. `node`: the folder of the included Node; `null`: none is
 * included.
 */
export function notices(node: string | null): string {
  const parts = [
    "Weir contains the work of others. Their terms:",
    titled("Neutralinojs 6.9.0 (MIT)", licenceIn(join(MODULES, "@neutralinojs", "lib")) ?? ""),
    titled("Compiled into Neutralinojs", IN_NEUTRALINO.join("\n")),
    ...(node === null ? [] : [titled("Node.js", licenceIn(node) ?? licenceOfNode())]),
    ...bundled().map((name) => noticeOf(name)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** All packages in the bundles: the dependencies in package.json and their dependencies, by name. */
function bundled(): readonly string[] {
  const names = new Set(Object.keys(manifestIn(ROOT).dependencies ?? {}).filter((name) => !BUILD_TOOLS.includes(name)));
  for (const name of names) {
    for (const needed of Object.keys(manifestIn(join(MODULES, name)).dependencies ?? {})) names.add(needed);
  }
  return [...names].toSorted();
}

/** Node's licence from the package for another system: the one for Windows has none. Throws if none is installed. */
function licenceOfNode(): string {
  const folder = NODES.map((name) => join(MODULES, name)).find((path) => existsSync(path) && licenceIn(path) !== null);
  if (folder === undefined) throw new Error(`no licence of Node.js: install ${NODES[0]}`);
  return licenceIn(folder) ?? "";
}

/** The name, version, and licence text of a package. */
export function noticeOf(name: string): string {
  const folder = join(MODULES, name);
  const { version, license } = manifestIn(folder);
  return titled(`${name} ${version} (${license ?? "see its source"})`, licenceIn(folder) ?? "");
}

function titled(title: string, text: string): string {
  return `${"=".repeat(78)}\n${title}\n${"=".repeat(78)}\n${text.trim()}`.trimEnd();
}

/** The files with the licence and notices of a package; `null` if the package only names its licence. */
function licenceIn(folder: string): string | null {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  return files.length === 0 ? null : files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
