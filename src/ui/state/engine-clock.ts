import type { Instant } from "../../engine/model/units.ts";
import type { Channel } from "../channel/channel.ts";

/**
 * Reads the clock that the engine's instants are of: it goes on from when Weir was started, whatever is done to the wall
 * clock, and stands still while the computer sleeps where the page's own does. Until the engine has said what it shows, the
 * wall clock has to do; while there is no connection to it any more, the clock stands, as all does that is shown.
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
