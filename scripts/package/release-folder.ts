import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { notices } from "./notices.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files of the clone that a release contains as they are. */
const KEPT = ["neutralino.config.json", "LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"] as const;

/** The scripts that find Node and the build. All others are in the build. */
const SCRIPTS = ["weir.mjs", "start.mjs", "stale.mjs", "installed-node.mjs"] as const;

/** A link to this computer's Node, which a build leaves beside the engine. */
const LINKED_NODE = /^extensions\/proxy\/node(\.exe)?$/;

interface Manifest {
  readonly scripts: unknown;
  readonly dependencies: unknown;
  readonly devDependencies: unknown;
  readonly allowScripts: unknown;
  readonly trustedDependencies: unknown;
}

/**
 * Writes to `folder` what every release contains, for each system and way of installing: the build `app`, the scripts
 * that start it, and the licences. `node`: the folder of the Node that the release contains; `null`: none.
 */
export function composeRelease(app: string, node: string | null, folder: string): void {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  cpSync(app, join(folder, "build"), {
    recursive: true,
    filter: (source) => !LINKED_NODE.test(relative(app, source).replaceAll(sep, "/")),
  });
  for (const name of KEPT) copyFileSync(join(ROOT, name), join(folder, name));
  for (const name of SCRIPTS) copyFileSync(join(ROOT, "scripts", name), join(folder, "scripts", name));
  writeFileSync(join(folder, "NOTICES.txt"), notices(node));
}

/**
 * Writes the folder of the npm package: a release that depends on nothing but the Node for this system, and contains no
 * program for a native window.
 */
export function composeNpmPackage(app: string, folder: string): void {
  composeRelease(app, null, folder);
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  // Everything else is bundled, and scripts and policies are for the clone.
  const {
    scripts: _,
    dependencies: _1,
    devDependencies: _2,
    allowScripts: _3,
    trustedDependencies: _4,
    ...kept
  } = manifest;
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(kept, null, 2)}\n`);
}
