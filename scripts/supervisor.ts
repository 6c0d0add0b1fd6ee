import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { NODE_FLAGS } from "../extensions/proxy/process/node-flags.ts";
import { ProgramLog } from "../extensions/proxy/storage/program-log.ts";
import { endWithParent } from "./child-end.ts";
import { supervised } from "./supervision.ts";

/*
 * Waits for an engine without a native window, and starts it again when it was killed. Its arguments: `foreground` or
 * `background`, the data folder, and the script's arguments. `launch.ts` replaces itself by this script, or leaves it in
 * the background: it imports little, and takes a third of the launcher's memory.
 */
const [mode, dataFolder = "", ...words] = process.argv.slice(2);
const isForeground = mode === "foreground";
const script = fileURLToPath(new URL(isForeground ? "./foreground.mjs" : "./main.mjs", import.meta.url));

// The program that reads our output may exit first, as a start in the background does.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
if (isForeground) endWithParent();
process.exitCode = await supervised(
  (run) =>
    spawn(process.execPath, [...NODE_FLAGS, script, ...words], {
      // The ipc channel closes when this process ends, and the engine ends then.
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, WEIR_RUN: run },
      // A group of its own, so that Ctrl+C reaches the engine once. In the background, the launcher may end the group.
      detached: isForeground,
    }),
  (sentence) => {
    new ProgramLog(dataFolder).write(sentence);
    console.error(sentence);
  },
);
