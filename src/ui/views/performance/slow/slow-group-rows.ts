import {
  causeKeyOf,
  type SlowGroupCause,
  type SlowGroupRecord,
  type SlowRecord,
} from "../../../../engine/messages/latency-messages.ts";
import type { ListState } from "../../../../engine/messages/list-messages.ts";
import { type Endpoint, operationIn } from "../../../../engine/model/endpoint.ts";
import { countPhrase, countText } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf, withOperation } from "../../../format/endpoint.ts";
import { slowRowOf } from "./slow-rows.ts";

/**
 * The fewest requests to an endpoint for which its slow requests are compared with the others (docs/specification.md,
 * Too little data).
 */
const LEAST_COMPARED = 20;

/** Slow requests to one endpoint with one cause. */
export interface SlowGroupRow extends EndpointTexts {
  readonly key: string;
  readonly endpoint: Endpoint;
  /** Key of the cause within its endpoint. */
  readonly group: string;
  /** "response header x-cache: MISS". */
  readonly cause: string;
  /** ". 18 of 20 requests over p95 (277 ms) have this value, and 3 of 212 others." */
  readonly sentence: string;
  readonly count: string;
  readonly lost: string;
  /** "40 → 312 ms"; "312 ms" if the usual latency is unknown. */
  readonly latencies: string;
  readonly latenciesTitle: string;
}

/** A request of an opened group. */
export interface SlowMemberRow {
  readonly key: number;
  /** Path and query, with the operation if there is one. */
  readonly target: string;
  readonly client: string;
  /** "7.8x the endpoint's p50". */
  readonly times: string;
  /** "; " between `times` and `cause`; "" if one of them is unknown. */
  readonly separator: string;
  readonly causeKind: string;
  /** As in `SlowRow`; "" if neither `times` nor the cause is known. */
  readonly cause: string;
  readonly latency: string;
  readonly started: string;
  readonly title: string;
}

export function slowGroupRowOf(record: SlowGroupRecord): SlowGroupRow {
  const { key, endpoint, cause, count, lost, median, p50 } = record;
  return Object.freeze({
    key,
    endpoint,
    group: causeKeyOf(cause),
    ...endpointTextsOf(record),
    cause: causeText(cause),
    sentence: sentenceOf(record),
    count: countText(count),
    lost: durationText(lost),
    latencies: `${p50 === null ? "" : `${durationText(p50)} → `}${durationText(median)}`,
    latenciesTitle: p50 === null ? "median of the slow requests" : "the endpoint’s p50 → median of the slow requests",
  });
}

export function slowMemberRowOf(record: SlowRecord): SlowMemberRow {
  const { key, times, causeKind, cause, latency, started, title } = slowRowOf(record);
  return Object.freeze({
    key,
    target: withOperation(record.target, operationIn(record.endpoint)),
    client: record.client,
    times,
    separator: times === "" || causeKind === "" ? "" : "; ",
    causeKind,
    cause: times === "" && causeKind === "" ? "" : cause,
    latency,
    started,
    title: `${title}\n${record.client}`,
  });
}

/** "and 12 more"; "" if all groups are listed. */
export function moreText({ matched, keys }: ListState): string {
  const left = matched - keys.length;
  return left > 0 ? `and ${countText(left)} more` : "";
}

/** Says that requests are still being compared; "" if all have been compared. */
export function comparisonText(rows: readonly SlowGroupRecord[]): string {
  return rows.some(({ cause }) => cause.kind === "unknown") ? "Comparing requests" : "";
}

/** Words for the first part of an attribute's name. Other first parts are shown unchanged. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  query: "query parameter",
  "request-header": "request header",
  "response-header": "response header",
  "server-address": "server address",
  "after-idle": "after idling",
  "request-size": "request size",
  "response-size": "response size",
  "in-flight": "requests in flight",
  "time-in-session": "time in the session",
};

function causeText(cause: SlowGroupCause): string {
  switch (cause.kind) {
    case "attribute": {
      const [sort = "", name] = splitAtColon(cause.name);
      return `${ATTRIBUTES[sort] ?? sort}${name === null ? "" : ` ${name}`}: ${cause.value}`;
    }
    case "connection":
      return "connection";
    case "transfer":
      return "body";
    case "none":
      return "no common cause";
    case "unknown":
      return "not compared yet";
  }
}

function splitAtColon(text: string): readonly [string, string | null] {
  const at = text.indexOf(":");
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function sentenceOf({ cause, requests, limit, isP95 }: SlowGroupRecord): string {
  switch (cause.kind) {
    case "attribute": {
      const { slowWith, slow, othersWith, others } = cause;
      const have = slowWith === 1 ? "has" : "have";
      const over = isP95 ? `p95 (${durationText(limit)} ms)` : `the ${durationText(limit)} ms threshold`;
      return `. ${countText(slowWith)} of ${countPhrase(slow, "request", "requests")} over ${over} ${have} this value, and ${countText(othersWith)} of ${countPhrase(others, "other", "others")}.`;
    }
    case "connection":
      return ". Waiting for a connection, or setting it up, took longer than usual.";
    case "transfer":
      return ". Receiving the body took longer than usual.";
    case "none":
      return requests < LEAST_COMPARED
        ? `. ${countPhrase(requests, "request", "requests")} ${requests === 1 ? "is" : "are"} too few to compare; ${LEAST_COMPARED} are needed.`
        : ". Nothing was found that distinguishes the slow requests from the others.";
    case "unknown":
      return ".";
  }
}
