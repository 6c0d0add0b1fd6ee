import type { Instant } from "../../engine/model/units.ts";
import type { Channel } from "../channel/channel.ts";

/**
 * Reads the engine's clock: monotonic from Weir's start. It pauses during sleep if the page's clock pauses then. Before
 * the engine's first message, the wall clock is used; without a connection, the clock stops.
 */
export function engineClock(
  channel: Pick<Channel, "onMessage" | "onState">,
  wall: () => number = () => Date.now(),
  ticks: () => number = () => performance.now(),
): () => Instant {
  let ahead = wall() - ticks();
  let stopped: number | null = null;
  channel.onMessage((message) => {
    if (message.type !== "welcome") return;
    ahead = message.now - ticks();
    stopped = null;
  });
  channel.onState(({ kind }) => {
    if (kind === "lost" || kind === "closed") stopped ??= ticks();
  });
  return () => (ahead + (stopped ?? ticks())) as Instant;
}
