import type { Shown } from "../../engine/messages/session-messages.ts";
import type { Summary } from "../../engine/messages/status-messages.ts";
import type { Instant } from "../../engine/model/units.ts";

/** Until when the session that is shown lasts: the recorded one until now, a stored one as far as its slices reach. */
export function sessionEndOf(summary: Summary, shown: Shown | undefined, now: Instant): Instant {
  if (shown?.kind !== "stored" || summary.sessionStart === null) return now;
  return (summary.sessionStart + summary.slices.length * summary.sliceLength) as Instant;
}
