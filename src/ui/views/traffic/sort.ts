import type { Sort } from "../../../engine/messages/list-messages.ts";
import { TRAFFIC_COLUMNS, type TrafficColumn } from "../../../engine/messages/traffic-messages.ts";
import { sortIn } from "../column-headers.ts";

const BY_START: Sort<TrafficColumn> = Object.freeze({ column: "startTime", descending: false });

/** The order in a text for `sortIn`. Any other text means: by start, the oldest first. */
export function sortOf(text: string | null): Sort<TrafficColumn> {
  return sortIn(text, TRAFFIC_COLUMNS, BY_START);
}
