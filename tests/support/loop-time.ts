import { setTimeout as pause } from "node:timers/promises";

/**
 * Resolves with `event`; rejects after `limit` ms. Each millisecond is counted in its own event-loop turn, so that a
 * slow computer does not make an event late.
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
