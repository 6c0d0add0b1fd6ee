import { attributeName } from "../../../../engine/insights/findings/slow-when/attribute-text.ts";
import { loadName, withoutText } from "../../../../engine/insights/what-if/gain-text.ts";
import type {
  FindingDetail,
  FindingExchange,
  FindingRecord,
  FindingsState,
  RankedFindings,
} from "../../../../engine/messages/finding-messages.ts";
import { clientNameOf } from "../../../../engine/model/client-name.ts";
import { hostOf } from "../../../../engine/model/endpoint.ts";
import { errorTypeText } from "../../../../engine/model/error-text.ts";
import { type Confidence, FINDING_KINDS, FINDING_NAMES, isUpperBound } from "../../../../engine/model/finding.ts";
import type { Instant } from "../../../../engine/model/units.ts";
import { bytesText } from "../../../format/bytes.ts";
import { clockText, exactClockText, secondText } from "../../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { withOperation } from "../../../format/endpoint.ts";
import { lostTimeText } from "../../../format/lost-time.ts";
import { isSafeMethod } from "../../../format/method.ts";
import { percentText } from "../../../format/percent.ts";
import { attributeFilterOf } from "../../attribute-filter.ts";
import { type ExperimentButton, experimentButtonOf } from "../../experiment-wish.ts";
import { costPhrase } from "../../finding-links.ts";
import { NOT_SEARCHED } from "./where-rows.ts";

/** The fewest exchanges with which every kind of finding can arise; docs/specification.md, Too little data. */
const FEW = 20;

/** The subject of a finding: an endpoint, or an origin and a client. */
interface Subject {
  /** Empty if the subject is an origin. */
  readonly method: string;
  readonly changes: boolean;
  /** Path and operation, or the origin's host. */
  readonly what: string;
  /** The endpoint's host, or the client. */
  readonly where: string;
  readonly title: string;
}

/** A row of the list. */
export type FindingRow = ReturnType<typeof rowOf>;

const CONFIDENCE_TITLES: Readonly<Record<Confidence, string>> = {
  certain: "Measured, or a fact of the protocol",
  likely: "Supported by evidence, such as a statistical test or links between requests",
  possible: "A rule of thumb, without further evidence",
};

export function findingRowsOf({ findings, waiting }: RankedFindings): readonly FindingRow[] {
  return Object.freeze(findings.map((finding) => rowOf(finding, waiting)));
}

function rowOf(finding: FindingRecord, waiting: number) {
  const { key, time, count, confidence, summary } = finding;
  const share = time === null || waiting <= 0 ? null : time / waiting;
  return Object.freeze({
    ...subjectIn(finding, summary),
    key,
    name: nameOf(finding),
    ...costOf(finding),
    /** The lost time as a bar, relative to all waiting; `null` if the cost is not a time. */
    share: share === null ? null : { width: `${Math.min(100, 100 * share).toFixed(1)}%` },
    shareTitle: share === null ? "" : `${percentText(100 * share)} of all waiting time`,
    summary,
    confidence,
    confidenceTitle: CONFIDENCE_TITLES[confidence],
    count: countText(count),
    ...pathTextsOf(finding),
  });
}

/**
 * Whether the requests hold the end of page loads or walks, and in the title "On the path in 12 of 14 loads: at most
 * 2.1 s of 16.4 s, if these requests took no time"; "" if they are in neither.
 */
function pathTextsOf({ loadGain }: FindingRecord) {
  if (loadGain === undefined) return { path: "", pathTitle: "" };
  return { path: loadName(loadGain), pathTitle: withoutText(loadGain) };
}

/** The lost time, else the avoidable bytes, which are always an upper bound: "up to". */
function costOf(finding: FindingRecord) {
  const { time, bytes } = finding;
  if (time === null && bytes === null) return { cost: NO_FIGURE, unit: "", upTo: "" };
  const { value, unit } = time === null ? bytesText(bytes ?? 0) : lostTimeText(time);
  return { cost: value, unit, upTo: time === null || isUpperBound(finding) ? "up to" : "" };
}

/**
 * "N+1 requests", "?sort=price: 371 ms instead of 28 (6 of 36)", "Slower since 10:46:20: 115 ms instead of 65 (68 of
 * 140 requests)".
 */
function nameOf({ kind, attribute, evidence }: FindingRecord): string {
  if (attribute === null) return FINDING_NAMES[kind];
  const figureOf = (name: string): string | null => evidence.find((figure) => figure.name === name)?.value ?? null;
  const median = figureOf("median time with this value");
  const usual = figureOf("median time without this value");
  const count = figureOf("requests with this value");
  const times = median === null || usual === null ? "" : `: ${median} instead of ${usual.replace(/ ms$/, "")}`;
  const change = changeText(attribute, figureOf);
  if (change !== null) return `${change}${times}${count === null ? "" : ` (${count} requests)`}`;
  return `${attributeName(attribute)}${times}${count === null ? "" : ` (${count})`}`;
}

/** "Slower since 10:46:20"; `null` for an attribute other than the time, or if its requests' times are not known. */
function changeText(
  { name, value }: NonNullable<FindingRecord["attribute"]>,
  figureOf: (name: string) => string | null,
): string | null {
  const first = instantIn(figureOf("first request with this value"));
  const last = instantIn(figureOf("last request with this value"));
  if (name !== "time-in-session" || first === null || last === null) return null;
  if (value.startsWith("at least ")) return `Slower since ${clockText(first)}`;
  if (value.startsWith("at most ")) return `Slower until ${clockText(last)}`;
  return `Slower from ${clockText(first)} to ${clockText(last)}`;
}

/** The instant that a figure gives as ISO 8601 in UTC; `null` if it gives another value. */
function instantIn(value: string | null): Instant | null {
  return value !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? (Date.parse(value) as Instant) : null;
}

/** The figures, with instants in local time. */
function shownFigures(evidence: FindingRecord["evidence"]): FindingRecord["evidence"] {
  return evidence.map(({ name, value }) => {
    const at = instantIn(value);
    return { name, value: at === null ? value : secondText(at) };
  });
}

/** The subject, without the method and path if the summary names them. */
function subjectIn(finding: FindingRecord, summary: string): Subject {
  const subject = subjectOf(finding);
  const isNamed = subject.method !== "" && summary.includes(`${subject.method} ${subject.what}`);
  return isNamed ? { ...subject, method: "", what: "" } : subject;
}

function subjectOf({ endpoint, origin, client }: FindingRecord): Subject {
  if (endpoint === null) {
    const where = client === null ? "" : clientNameOf(client);
    const title = [origin, client].filter((part) => part !== null).join(", ");
    return { method: "", changes: false, what: origin === null ? "All hosts" : hostOf(origin), where, title };
  }
  const { method, path, operation } = endpoint;
  const what = withOperation(path, operation);
  const title = `${method} ${endpoint.origin}${what}`;
  return { method, changes: !isSafeMethod(method), what, where: hostOf(endpoint.origin), title };
}

/** Says how a possible finding ranks (src/engine/insights/findings/ranking.ts). */
const POSSIBLE_LOWER = "; a possible one below surer ones of at least half its time";

function isPossible({ confidence }: FindingRecord): boolean {
  return confidence === "possible";
}

/** The line above the list. */
export type HeadTexts = ReturnType<typeof headOf>;

export function headOf(found: RankedFindings) {
  const { findings, matched, total, exchanges, older } = found;
  const all = countPhrase(total, "finding", "findings");
  const shown = findings.length < matched ? `; the first ${countText(findings.length)} are listed` : "";
  return Object.freeze({
    count: matched < total ? `${countText(matched)} of ${all}` : all,
    exchanges: `in ${countPhrase(exchanges, "counted request", "counted requests")}${shown}`,
    /** What `exchanges` leaves out. */
    exchangesTitle: NOT_SEARCHED,
    /** In which order the findings are listed; "" if there is one at most. */
    order: findings.length < 2 ? "" : `, the costliest first${findings.some(isPossible) ? POSSIBLE_LOWER : ""}`,
    /** What was not searched; "" if everything was. */
    left: older === 0 ? "" : `${countPhrase(older, "older exchange", "older exchanges")} not checked`,
  });
}

/** The state of the search for causes. */
type SearchState = Omit<FindingsState, "where">;

/** "Looking for causes, 34 % of the session so far"; "" if all of it was searched. */
export function progressText({ progress }: SearchState): string {
  return progress >= 1 ? "" : `Looking for causes, ${Math.floor(100 * progress)} % of the session so far`;
}

/** The texts of the empty tab. */
export interface EmptyTexts {
  readonly title: string;
  readonly text: string;
  /** The kinds that were searched for; may be empty. */
  readonly kinds: readonly string[];
}

const KINDS = Object.freeze(FINDING_KINDS.map((kind) => FINDING_NAMES[kind]));

/**
 * The texts of the empty tab; `null` if there are findings or the answer is awaited. `problem`: why there is no answer.
 */
export function emptyOf(state: SearchState | undefined, problem: string | null): EmptyTexts | null {
  if (state === undefined) return problem === null ? null : Object.freeze({ title: problem, text: "", kinds: [] });
  const { found, progress } = state;
  if (found === null) return Object.freeze({ title: "Looking for causes", text: "", kinds: [] });
  const { exchanges, endpoints, older } = found;
  if (found.findings.length > 0) return null;
  if (found.total > 0) {
    const title = "No finding has a matching exchange";
    return Object.freeze({
      title,
      text: `Without the filter: ${countPhrase(found.total, "finding", "findings")}.`,
      kinds: [],
    });
  }
  if (progress < 1) return Object.freeze({ title: "Looking for causes", text: progressText(state), kinds: [] });
  if (exchanges === 0)
    return Object.freeze({
      title: "Nothing to check yet",
      text: "Once requests have ended, the causes of lost time are ranked here, each with its cost, its evidence and advice.",
      kinds: [],
    });
  const few =
    exchanges < FEW
      ? ` With so little traffic, some causes cannot be found yet: their statistical tests need about ${FEW} requests to an endpoint.`
      : "";
  const left = older === 0 ? "" : ` ${countPhrase(older, "older exchange was", "older exchanges were")} not checked.`;
  return Object.freeze({
    title: "Nothing stands out",
    text: `Checked ${countPhrase(exchanges, "exchange", "exchanges")} to ${countPhrase(endpoints, "endpoint", "endpoints")}.${few}${left} Looked for:`,
    kinds: KINDS,
  });
}

/** An exchange of the opened finding. */
export type FindingExchangeRow = ReturnType<typeof exchangeRowOf>;

/** The panel of the opened finding. */
export type FindingPanel = ReturnType<typeof findingPanelOf>;

export function findingPanelOf({ finding, exchanges }: FindingDetail) {
  const { summary, confidence, evidence, advice, basis, count } = finding;
  const shown = exchanges.length < count ? `${countText(exchanges.length)} of ${countText(count)}` : countText(count);
  return Object.freeze({
    ...subjectOf(finding),
    name: nameOf(finding),
    summary,
    cost: costPhrase({ ...finding, isUpTo: isUpperBound(finding) }),
    confidence: `${confidence}: ${CONFIDENCE_TITLES[confidence].toLowerCase()}`,
    pathTitle: pathTextsOf(finding).pathTitle,
    evidence: shownFigures(evidence),
    advice,
    basis,
    exchanges: exchanges.map(exchangeRowOf),
    exchangesTitle: `Exchanges that show this finding: ${shown}, the clearest first`,
    /** A filter by the finding's attribute; "" if there is none. */
    attributeFilter: attributeFilterOf(finding),
    /** `null` if the finding names no endpoint. */
    experiment: experimentOf(finding),
  });
}

/** The button for the client of the clearest exchange. */
function experimentOf({ kind, endpoint, exchanges }: FindingRecord): ExperimentButton | null {
  if (endpoint === null) return null;
  return experimentButtonOf(endpoint, exchanges[0] ?? null, kind === "slow-streams");
}

function exchangeRowOf(exchange: FindingExchange) {
  const { id, method, origin, target, status, errorType, start, end } = exchange;
  return Object.freeze({
    key: id,
    method,
    changes: !isSafeMethod(method),
    path: target,
    title: `${method} ${origin}${target}`,
    status: errorType === null ? String(status ?? NO_FIGURE) : errorTypeText(errorType),
    failed: errorType !== null || (status ?? 0) >= 400,
    length: durationText(end - start),
    started: exactClockText(start),
  });
}
