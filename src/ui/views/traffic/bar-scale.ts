import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import { isLasting } from "../../../engine/model/duration.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { niceCeiling } from "../../format/scale.ts";

/**
 * One scale for all bars in sight: it grows as soon as one needs it, and shrinks only when all have become far shorter. What
 * lives long by its nature (a WebSocket) would leave the others no room: beside others it only fills its cell.
 */
export function barScaleOf(records: readonly TrafficRecord[], before: Milliseconds): Milliseconds {
  const timed = records.filter(({ tags, status }) => !isLasting(tags, status));
  const longest = (timed.length > 0 ? timed : records).reduce(
    (most, { spans, failedAfter }) => Math.max(most, spans.at(-1)?.to ?? 0, failedAfter ?? 0),
    1,
  );
  const needed = niceCeiling(longest);
  return needed > before || needed < before / 4 ? needed : before;
}
