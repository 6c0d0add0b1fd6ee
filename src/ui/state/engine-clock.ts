import type { Instant } from "../../engine/model/units.ts";
import type { Channel } from "../channel/channel.ts";

/**
 * Reads the clock that the engine's instants are of: it goes on from when Weir was started, whatever is done to the wall
 * clock, and stands still while the computer sleeps where the page's own does. Until the engine has said what it shows, the
 * wall clock has to do.
 */
export function engineClock(
  channel: Pick<Channel, "onMessage">,
  wall: () => number = () => Date.now(),
  ticks: () => number = () => performance.now(),
): () => Instant {
  let ahead = wall() - ticks();
  channel.onMessage((message) => {
    if (message.type === "welcome") ahead = message.now - ticks();
  });
  return () => (ahead + ticks()) as Instant;
}
