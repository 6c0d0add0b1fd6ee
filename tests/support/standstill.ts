/** In a transfer between sockets of one process, at most four turns passed without progress. */
const IDLE_TURNS = 1_000;

/**
 * Resolves once a transfer has begun, and then `progress` stays the same for many turns of the event loop: client,
 * proxy and server share that loop, so none of them can go on. Turns are counted, since a slow computer makes them
 * longer, not more.
 */
export async function standstill(progress: () => number): Promise<void> {
  let before = 0;
  for (let idle = 0; before === 0 || idle < IDLE_TURNS; idle += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (progress() === before) continue;
    before = progress();
    idle = 0;
  }
}
