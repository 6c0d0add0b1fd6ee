import { setTimeout as pause } from "node:timers/promises";

/**
 * Resolves with what `event` does, and rejects where it does not come within so many milliseconds. They are counted one by one,
 * each in a turn of the event loop of its own: a machine that stalls takes none of the turns in which what is on its way
 * arrives, so a busy one cannot make it late.
 */
export async function withinLoopTime<Value>(limit: number, event: Promise<Value>): Promise<Value> {
  let isOver = false;
  const late = async (): Promise<never> => {
    for (let waited = 0; waited < limit && !isOver; waited += 1) await pause(1);
    throw new Error(`it did not come within ${limit} ms`);
  };
  try {
    return await Promise.race([event, late()]);
  } finally {
    isOver = true;
  }
}
