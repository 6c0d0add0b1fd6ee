#!/usr/bin/env node
// Plain JavaScript, because an old Node cannot parse Weir's other files.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isRightNode } from "./installed-node.mjs";

// npm runs a script in the clone. Files that the user names are relative to the folder in which npm was called.
const { npm_package_json: manifest, INIT_CWD: called } = process.env;
const isOfClone = manifest === fileURLToPath(new URL("../package.json", import.meta.url));
if (isOfClone && called !== undefined && dirname(manifest) === process.cwd()) process.chdir(called);

if (isRightNode(import.meta.url)) {
  const source = new URL("./weir.ts", import.meta.url);
  // A release contains no sources.
  const { weir } = await import(existsSync(source) ? source.href : new URL("../build/weir.mjs", import.meta.url).href);
  await weir(process.argv.slice(2));
}
