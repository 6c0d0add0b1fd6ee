#!/usr/bin/env node
// Plain JavaScript, because an old Node cannot parse Weir's other files.
import { existsSync } from "node:fs";
import { isRightNode } from "./installed-node.mjs";

if (isRightNode(import.meta.url)) {
  const source = new URL("./weir.ts", import.meta.url);
  // A release contains no sources.
  const { weir } = await import(existsSync(source) ? source.href : new URL("../build/weir.mjs", import.meta.url).href);
  await weir(process.argv.slice(2));
}
