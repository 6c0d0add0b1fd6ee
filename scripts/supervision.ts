import type { ChildProcess } from "node:child_process";
import { ENDING } from "../extensions/proxy/process/exit-codes.ts";
import type { Milliseconds } from "../src/engine/model/units.ts";
import { endOf } from "./child-end.ts";
import { signalNameOf, TOLD_TO_END } from "./window-end.ts";

/** An engine that is killed again within this time stays ended: what killed it would do so again. */
const SOON: Milliseconds = 60_000;

/** The exit code of an engine that stays ended. */
const KILLED = 1;

/** What `WEIR_RUN` tells the engine: `restarted` continues the session of a killed one. */
export type Run = "first" | "restarted";

/**
 * Runs an engine without a native window, and starts it again when it was killed: by any signal but those that tell it
 * to end, and not while it was ending. Resolves with its exit code. `start` gets the value of `WEIR_RUN`; `say` prints
 * a sentence; `now`: ms. On Windows a killed process looks like one that was told to end, so nothing is started again
 * there.
 */
export async function supervised(
  start: (run: Run) => ChildProcess,
  say: (sentence: string) => void,
  now: () => Milliseconds = () => performance.now(),
): Promise<number> {
  let killedAt = Number.NEGATIVE_INFINITY;
  for (let run: Run = "first"; ; run = "restarted") {
    const engine = start(run);
    let isEnding = false;
    engine.on("message", (message) => {
      isEnding ||= message === ENDING;
    });
    const code = await endOf(engine);
    const signal = isEnding || TOLD_TO_END.includes(code) ? null : signalNameOf(code);
    if (signal === null) return code;
    const at = now();
    if (at - killedAt < SOON) {
      say(`Weir's engine was killed twice within a minute (${signal}), and stays ended. Recordings are kept.`);
      return KILLED;
    }
    killedAt = at;
  }
}
