import type { Sort } from "../../../engine/messages/list-messages.ts";
import { TRAFFIC_COLUMNS, type TrafficColumn } from "../../../engine/messages/traffic-messages.ts";

const BY_START: Sort<TrafficColumn> = Object.freeze({ column: "startTime", descending: false });

/** Parses an order: a column, with a minus for descending. Any other text means: by start, the oldest first. */
export function sortOf(text: string | null): Sort<TrafficColumn> {
  const descending = text?.startsWith("-") ?? false;
  const column = TRAFFIC_COLUMNS.find((known) => known === (descending ? text?.slice(1) : text));
  return column === undefined ? BY_START : Object.freeze({ column, descending });
}

export function sortTextOf({ column, descending }: Sort<TrafficColumn>): string {
  return `${descending ? "-" : ""}${column}`;
}
