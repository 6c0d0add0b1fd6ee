import type { RepeatRecord } from "../../../../engine/messages/finding-messages.ts";
import type { ListState } from "../../../../engine/messages/list-messages.ts";
import { hostOf } from "../../../../engine/model/endpoint.ts";
import type { RepeatKind } from "../../../../engine/model/findings.ts";
import { capitalized } from "../../../../engine/model/letter-case.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { bytesPhrase } from "../../../format/bytes.ts";
import { clockText } from "../../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { isSafeMethod } from "../../../format/method.ts";

/** Requests to one endpoint, repeated for one reason. */
export interface RepeatRow {
  readonly key: string;
  readonly kind: string;
  readonly method: string;
  /** Whether the method may change something on the server. */
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly sentence: string;
  readonly count: string;
  /** The time lost: "up to 320 ms". */
  readonly time: string;
  readonly bytes: string;
  /** The endpoint's template, and the start of the first request. */
  readonly title: string;
  /** The first exchange, which a click opens. */
  readonly first: ExchangeId | null;
}

const KINDS: Readonly<Record<RepeatKind, string>> = {
  "n-plus-one": "One request per item",
  "duplicate-requests": "Duplicates",
  "unchanged-refetches": "Fetched again unchanged",
  polling: "Polling",
  retries: "Retries",
  "cors-preflights": "Preflights",
  ranges: "Fetched in parts",
};

export function repeatRowOf(record: RepeatRecord): RepeatRow {
  const { kind, template, summary, exchanges, start, bytes } = record;
  const [, method = "", origin = "", path = ""] = /^(\S+) ([a-z]+:\/\/[^/]*)(.*)$/is.exec(template) ?? [];
  return Object.freeze({
    key: record.key,
    kind: KINDS[kind],
    method,
    changes: !isSafeMethod(method),
    path: path === "" ? template : path,
    host: hostOf(origin),
    sentence: capitalized(summary),
    count: countText(exchanges),
    time: timeText(record),
    bytes: bytesPhrase(bytes),
    title: `${template}\nfirst at ${clockText(start)}`,
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
