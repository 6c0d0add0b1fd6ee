import type { FromEngine } from "../../src/engine/messages/messages.ts";
import type { Result } from "../../src/engine/model/result.ts";
import { argumentsOf } from "./process/arguments.ts";
import { readEngineHandoff } from "./process/engine-handoff.ts";
import { START_AGAIN } from "./process/exit-codes.ts";
import { defaultDataFolder, openDataFolder } from "./storage/data-folder.ts";
import { onSecondStart, takeLock } from "./storage/lock.ts";
import type { NeutralinoConnection } from "./threads.ts";
import { raise } from "./window/main-window.ts";
import { NeutralinoChannel } from "./window/neutralino.ts";

const FAILED = "Weir's engine has ended unexpectedly, and the proxy with it. Recordings are kept.";

/**
 * Runs in place of an engine that failed for good: the window says so, and offers "Start again" and "Quit". Holds the
 * data folder's lock, so that a second start shows this window. Sets the exit code.
 */
export async function offerNewStart(words: Result<readonly string[]>): Promise<void> {
  const connection = await readEngineHandoff(process.stdin);
  const given = words.ok ? argumentsOf(words.value) : words;
  if (connection === null) return;
  const folder = openDataFolder((given.ok ? given.value.dataDir : null) ?? defaultDataFolder());
  const taken = folder.ok ? takeLock(folder.value) : folder;
  const lock = taken.ok && taken.value.kind === "held" ? taken.value.lock : null;
  lock?.announce({ pid: process.pid, proxy: null, ui: null, ticket: null, paused: false });
  process.stderr.write(`${FAILED} The window offers a new start.\n`);
  process.exitCode = await answerOf(connection, folder.ok ? folder.value : null);
  lock?.release();
}

/** Resolves with the exit code: `START_AGAIN` if the user wants a new start, 0 once the window is gone. */
function answerOf(connection: NeutralinoConnection, folder: string | null): Promise<number> {
  const notice: FromEngine = { type: "shutdown", reason: FAILED, startable: true };
  return new Promise((resolve) => {
    let code = 0;
    const channel = new NeutralinoChannel(connection, {
      onPage: (page) => {
        page.onMessage((text) => {
          if (text !== JSON.stringify({ type: "start-again" })) return;
          code = START_AGAIN;
          channel.close();
        });
        page.send(JSON.stringify(notice));
        channel.call("window.setTitle", { title: "Weir (proxy stopped)" });
      },
      onGone: () => {
        stopWatching?.();
        resolve(code);
      },
    });
    const stopWatching = folder === null ? null : onSecondStart(folder, () => raise(channel));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => channel.call("app.killProcess", {}));
  });
}
