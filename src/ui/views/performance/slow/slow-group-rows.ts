import { attributeName } from "../../../../engine/insights/findings/slow-when/attribute-text.ts";
import {
  type CutCounts,
  causeKeyOf,
  type SlowCauseSum,
  type SlowEndpointRecord,
  type SlowGroupCause,
  type SlowOverview,
  type SlowRecord,
  type SlowSum,
} from "../../../../engine/messages/latency-messages.ts";
import { type Endpoint, operationIn } from "../../../../engine/model/endpoint.ts";
import { capitalized } from "../../../../engine/model/letter-case.ts";
import { countPhrase, countText } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf, withOperation } from "../../../format/endpoint.ts";
import { slowRowOf } from "./slow-rows.ts";

/**
 * The fewest requests to an endpoint for which its slow requests are compared with the others (docs/specification.md,
 * Too little data).
 */
const LEAST_COMPARED = 20;

/** Something that opens to its slow requests. `group`: the key of the cause within the endpoint; `null`: all causes. */
export interface SlowOpening {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly group: string | null;
  readonly title: string;
  /** What a list of its requests is limited to: "GET /search, response header x-cache: MISS". */
  readonly scope: string;
}

interface SlowSumTexts {
  readonly count: string;
  readonly lost: string;
}

export type SlowEndpointRow = ReturnType<typeof slowEndpointRowOf>;

/** The slow requests of one endpoint with one cause. */
export interface SlowLine extends SlowOpening, SlowSumTexts {
  /** "Response header x-cache: MISS", "?sort=price". */
  readonly cause: string;
  /** ". 18 of 20 requests above p95 (277 ms) have this value, and 3 of 212 others." */
  readonly sentence: string;
}

export type SlowMemberRow = ReturnType<typeof slowMemberRowOf>;

export function slowEndpointRowOf(record: SlowEndpointRecord) {
  const { key, endpoint, causes, isWithoutCause, median } = record;
  const usual = isMostlySlow(record) ? null : record.p50;
  const texts = endpointTextsOf(record);
  return Object.freeze({
    key,
    endpoint,
    group: null,
    scope: `${texts.method} ${texts.path}`,
    ...texts,
    ...sumTextsOf(record),
    /** "40 → 312 ms"; "312 ms" if the usual latency is unknown, or slow itself. */
    latencies: `${usual === null ? "" : `${durationText(usual)} → `}${durationText(median)}`,
    latenciesTitle: usual === null ? "median of the slow requests" : "the endpoint’s p50 → median of the slow requests",
    /** "2 just arrived"; "" if there is nothing to note. */
    note: noteOf(record),
    causesTitle: `Causes at ${texts.title}`,
    lines: isWithoutCause ? [] : causes.map((sum) => lineOf(record, sum, texts)),
  });
}

function lineOf(record: SlowEndpointRecord, sum: SlowCauseSum, { method, path, title }: EndpointTexts): SlowLine {
  const group = causeKeyOf(sum.cause);
  const cause = causeText(sum.cause);
  return Object.freeze({
    key: `${record.key} ${group}`,
    endpoint: record.endpoint,
    group,
    title: `${title}, ${cause}`,
    scope: `${method} ${path}, ${cause}`,
    ...sumTextsOf(sum),
    cause: capitalized(cause),
    sentence: sentenceOf(record, sum.cause),
  });
}

function sumTextsOf({ count, lost }: SlowSum): SlowSumTexts {
  return { count: countText(count), lost: durationText(lost) };
}

/** Whether more than half of the endpoint's requests are slow, so that its p50 is no usual latency. */
function isMostlySlow({ p50, limit }: SlowEndpointRecord): boolean {
  return p50 !== null && p50 > limit;
}

function noteOf(record: SlowEndpointRecord): string {
  const { arrived, isWithoutCause, requests, count, limit } = record;
  const notes = [];
  if (isMostlySlow(record)) {
    const many = count === requests ? `all ${countText(requests)}` : "most requests";
    notes.push(`${many} are over ${durationText(limit)} ms`);
  }
  if (arrived > 0) notes.push(`${countText(arrived)} just arrived`);
  if (isWithoutCause)
    notes.push(
      requests < LEAST_COMPARED
        ? `${countPhrase(requests, "request", "requests")}, compared from ${LEAST_COMPARED} on`
        : NO_CAUSE,
    );
  return notes.join("; ");
}

const NO_CAUSE = "no cause stands out";
const NOTHING_FOUND = "Nothing was found that distinguishes the slow requests from the others.";

function tooFewText(requests: number): string {
  const are = requests === 1 ? "is" : "are";
  return `${countPhrase(requests, "request", "requests")} ${are} too few to compare; ${LEAST_COMPARED} are needed`;
}

export function slowMemberRowOf(record: SlowRecord) {
  const { key, times, causeKind, cause, latency, started, title, sentence } = slowRowOf(record);
  return Object.freeze({
    key,
    /** Path and query, with the operation if there is one. */
    target: withOperation(record.target, operationIn(record.endpoint)),
    client: record.client,
    /** As in `SlowRow`. */
    times,
    /** "; " between `times` and `cause`; "" if one of them is unknown. */
    separator: times === "" || causeKind === "" ? "" : "; ",
    causeKind,
    /** As in `SlowRow`; "" if neither `times` nor the cause is known. */
    cause: times === "" && causeKind === "" ? "" : cause,
    latency,
    started,
    title: `${title}\n${record.client}\n${sentence}`,
  });
}

/** "and 12 more"; "" if all of them are listed. */
export function moreText(matched: number, listed: number): string {
  const left = matched - listed;
  return left > 0 ? `and ${countText(left)} more` : "";
}

/** "Comparing requests, 34 % of the session so far"; "" if all were compared. */
export function comparisonText({ progress }: SlowOverview): string {
  return progress >= 1 ? "" : `Comparing requests, ${Math.floor(100 * progress)} % of the session so far`;
}

function causeText(cause: SlowGroupCause): string {
  switch (cause.kind) {
    case "attribute":
      return attributeName(cause);
    case "connection":
      return "connection";
    case "transfer":
      return "body";
    case "none":
      return NO_CAUSE;
  }
}

function sentenceOf({ requests, limit, isP95 }: SlowEndpointRecord, cause: SlowGroupCause): string {
  switch (cause.kind) {
    case "attribute": {
      const limitText = isP95 ? `p95 (${durationText(limit)} ms)` : `the ${durationText(limit)} ms threshold`;
      const { cut, slowWith } = cause;
      if (cut === null) return `. ${shareText(cause, limitText)}.`;
      const slow = `${countText(slowWith)} ${slowWith === 1 ? "is" : "are"} above ${limitText}`;
      return `. ${shareText(cut, `${durationText(cut.at)} ms`)}; ${slow}.`;
    }
    case "connection":
      return ". Waiting for a connection, or setting it up, took longer than usual, or most of the time.";
    case "transfer":
      return ". Receiving the body took longer than usual, or most of the time.";
    case "none":
      return requests < LEAST_COMPARED ? `. ${tooFewText(requests)}.` : `. ${NOTHING_FOUND}`;
  }
}

/** "18 of 20 above 900 ms have this value, and 3 of 212 others". */
function shareText(
  { slowWith, slow, othersWith, others }: Pick<CutCounts, "slowWith" | "slow" | "othersWith" | "others">,
  limit: string,
): string {
  const have = slowWith === 1 ? "has" : "have";
  return `${countText(slowWith)} of ${countText(slow)} above ${limit} ${have} this value, and ${countText(othersWith)} of ${countPhrase(others, "other", "others")}`;
}
