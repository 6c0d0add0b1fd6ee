import { takeLock } from "../../../extensions/proxy/storage/lock.ts";
import { unwrap } from "../../../src/engine/model/result.ts";

/** Takes the lock of the given folder, prints the result, drops every reference to it, and stays alive. */
function contend(folder: string): string {
  const result = unwrap(takeLock(folder));
  if (result.kind === "held") {
    result.lock.announce({
      pid: process.pid,
      proxy: "127.0.0.1:8686",
      ui: null,
      ticket: null,
      paused: false,
    });
  }
  return result.kind;
}

process.send?.(contend(process.argv[2] ?? ""));
process.on("disconnect", () => process.exit());
