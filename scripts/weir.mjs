#!/usr/bin/env node
// Plain JavaScript, because an old Node cannot parse Weir's other files.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { installedNode } from "./installed-node.mjs";

const isOld = Number(process.versions.node.split(".")[0]) < 26;
const node = isOld ? installedNode() : null;
if (node === null) {
  await import("./needs-node.mjs");
  const source = new URL("./weir.ts", import.meta.url);
  // A release contains no sources.
  const { weir } = await import(existsSync(source) ? source.href : new URL("../build/weir.mjs", import.meta.url).href);
  await weir(process.argv.slice(2));
} else {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // The terminal also sends Ctrl+C to the child. This process ignores it, and waits until the child exits.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
