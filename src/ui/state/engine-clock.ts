import type { Instant } from "../../engine/model/units.ts";
import type { Channel } from "../channel/channel.ts";

/**
 * Returns a function that reads the engine's clock. It reads the wall clock before the engine's first message, and
 * stops while there is no connection. While the computer sleeps, the clock pauses if `ticks` pauses.
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
