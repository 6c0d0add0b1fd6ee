import type { RepeatRecord } from "../../../../engine/messages/finding-messages.ts";
import type { ListState } from "../../../../engine/messages/list-messages.ts";
import { hostOf } from "../../../../engine/model/endpoint.ts";
import type { RepeatKind } from "../../../../engine/model/findings.ts";
import { capitalized } from "../../../../engine/model/letter-case.ts";
import { bytesPhrase } from "../../../format/bytes.ts";
import { clockText } from "../../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { isSafeMethod } from "../../../format/method.ts";

/** Requests to one endpoint, repeated for one reason. */
export type RepeatRow = ReturnType<typeof repeatRowOf>;

const KINDS: Readonly<Record<RepeatKind, string>> = {
  "n-plus-one": "One request per item",
  "duplicate-requests": "Duplicates",
  "unchanged-refetches": "Fetched again unchanged",
  polling: "Polling",
  retries: "Retries",
  "cors-preflights": "Preflights",
  ranges: "Fetched in parts",
};

export function repeatRowOf(record: RepeatRecord) {
  const { kind, template, summary, exchanges, start, bytes } = record;
  const [, method = "", origin = "", path = ""] = /^(\S+) ([a-z]+:\/\/[^/]*)(.*)$/is.exec(template) ?? [];
  return Object.freeze({
    key: record.key,
    kind: KINDS[kind],
    method,
    /** Whether the method may change something on the server. */
    changes: !isSafeMethod(method),
    path: path === "" ? template : path,
    host: hostOf(origin),
    sentence: capitalized(summary),
    count: countText(exchanges),
    /** The time lost: "up to 320 ms". */
    time: timeText(record),
    bytes: bytesPhrase(bytes),
    /** The endpoint's template, and the start of the first request. */
    title: `${template}\nfirst at ${clockText(start)}`,
    /** The first exchange, which a click opens. */
    first: record.ids[0] ?? null,
  });
}

function timeText({ time, isUpTo }: RepeatRecord): string {
  if (time === null) return NO_FIGURE;
  return `${isUpTo ? "up to " : ""}${durationText(time)} ms`;
}

/** "and 40 more repeats"; "" if all repeats are listed. */
export function moreRepeatsText({ matched, keys }: ListState): string {
  const left = matched - keys.length;
  return left > 0 ? `and ${countPhrase(left, "more repeat", "more repeats")}` : "";
}
