import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { PHASES, type Phase, type Stretch } from "../../../engine/model/phases.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import { exactClockText } from "../../format/clock.ts";
import { clientConnectionText, serverConnectionText, waitText } from "../../format/connection-label.ts";
import { axisText, exactDurationText } from "../../format/duration.ts";
import { PHASE_KINDS, PHASE_NAMES, waitName } from "../../format/phases.ts";
import { niceCeiling } from "../../format/scale.ts";
import { uncertaintyText } from "../../format/uncertainty.ts";
import { NOT_KNOWN_YET } from "./connection-sides.ts";
import { comparisonOf } from "./endpoint-comparison.ts";
import { fieldOf, headersOf } from "./headers.ts";
import { type ServerMetric, serverMetricsOf } from "./server-timing.ts";
import { marksOf, percentilesOf } from "./timing-marks.ts";

/** A bar on the ruler: a phase, or a thin bar for a part of TTFB. */
interface TimingRow {
  readonly id: string;
  readonly name: string;
  readonly sub: boolean;
  /** CSS class of the bar and of the small bar beside the name. A part of TTFB has no bar beside its name. */
  readonly bar: string;
  /** The pieces of the bar, as styles. If there are none, `word` says why. */
  readonly spans: readonly BarSpan[];
  readonly word: string;
  readonly figure: string;
  readonly unit: string;
}

interface BarSpan {
  readonly left: string;
  readonly width: string;
}

/** The tab Timing, as texts and percentages. */
export type Timing = ReturnType<typeof timingOf>;

const MOST_METRICS = 6;
/** A percentile beyond this multiple of the exchange's own end is omitted from the ruler. */
const FURTHEST = 3;
/** The least time from the last known instant to the failure, in ms; for a shorter time there is no row. */
const LEAST_UNFINISHED: Milliseconds = 0.05;

export function timingOf(detail: ExchangeDetail) {
  const metrics = serverMetricsOf(fieldOf(headersOf(detail.responseHead), "server-timing"));
  const percentiles = percentilesOf(detail.stats);
  const length = detail.latency ?? detail.failedAfter;
  // An exchange in flight has no length yet, so the percentiles of its endpoint determine the ruler, if known.
  const isUntimed = length === null && detail.spans.length === 0;
  const end = Math.max(length ?? 0, detail.spans.at(-1)?.to ?? 0, 1);
  const near = isUntimed ? percentiles : percentiles.filter(({ at }) => at <= end * FURTHEST);
  const step = niceCeiling(Math.max(end, ...near.map(({ at }) => at)) / 5);
  const scale = step * Math.ceil(Math.max(end, ...near.map(({ at }) => at)) / step);
  return Object.freeze({
    ticks: Object.freeze(isUntimed && near.length === 0 ? [] : ticksOf(scale, step)),
    rows: Object.freeze(rowsOf(detail, metrics, scale)),
    marks: Object.freeze(marksOf(near, scale)),
    /** The latency, or the time until the failure, in ms. */
    length: exactDurationText(length),
    slow: detail.slow !== null,
    comparison: comparisonOf(detail),
    /** Connections and waits of the exchange, in sentences. */
    connectionTexts: Object.freeze(connectionTextsOf(detail)),
    facts: Object.freeze(factsOf(detail, metrics)),
  });
}

function rowsOf(detail: ExchangeDetail, metrics: readonly ServerMetric[], scale: Milliseconds): TimingRow[] {
  const { spans, slowed, wait } = detail;
  const rows = PHASES.flatMap((phase) => {
    const own = spans.filter((each) => each.phase === phase);
    const word = own.length === 0 ? absenceOf(phase, detail) : "";
    const row = rowOf(phase, PHASE_NAMES[phase], PHASE_KINDS[phase], own, scale, word);
    const [span] = own;
    return phase === "ttfb" && span !== undefined
      ? [row, ...withinTtfb(span.from, span.to, detail, metrics, scale)]
      : [row];
  });
  const held = spans.filter(({ phase }) => phase === "held");
  return [
    ...(wait === null ? [] : [rowOf("wait", waitName(wait), "phase-wait", [wait], scale)]),
    ...rows,
    ...ownResponseOf(detail, scale),
    ...(held.length === 0 ? [] : [rowOf("held", PHASE_NAMES.held, PHASE_KINDS.held, held, scale)]),
    ...unfinishedOf(detail, scale),
    ...(slowed.length === 0 ? [] : [rowOf("slowed", "Slowed on purpose", "phase-slowed", slowed, scale)]),
  ];
}

/** A row of one or more pieces; `word`: why there are none. */
function rowOf(
  id: string,
  name: string,
  bar: string,
  pieces: readonly Stretch[],
  scale: Milliseconds,
  word = "",
): TimingRow {
  const length = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  return Object.freeze({
    id,
    name,
    sub: false,
    bar,
    word,
    spans: Object.freeze(pieces.map(({ from, to }) => spanOf(from, to, scale))),
    figure: word === "" ? exactDurationText(length) : "",
    unit: word === "" ? "ms" : "",
  });
}

/** The row of the time in which Weir itself made the response, which is no phase; none if a server was asked. */
function ownResponseOf({ exchange, wait }: ExchangeDetail, scale: Milliseconds): TimingRow[] {
  const { startTime, headReceived, domainLookupStart, connectStart, requestStart, responseStart } = exchange.instants;
  if (headReceived === null || responseStart === null || wait !== null || exchange.tags.includes("imported")) return [];
  if (domainLookupStart !== null || connectStart !== null || requestStart !== null) return [];
  const span = spanOf(headReceived - startTime, responseStart - startTime, scale);
  return [subRowOf("own-response", "Weir's own response", span, responseStart - headReceived)];
}

/**
 * The row from a failed exchange's last known instant to the failure, for the phase that did not end. No row for less
 * than `LEAST_UNFINISHED`.
 */
function unfinishedOf({ spans, wait, failedAfter }: ExchangeDetail, scale: Milliseconds): TimingRow[] {
  const from = spans.at(-1)?.to ?? wait?.to ?? 0;
  if (failedAfter === null || failedAfter - from < LEAST_UNFINISHED) return [];
  return [subRowOf("unfinished", "until the failure", spanOf(from, failedAfter, scale), failedAfter - from)];
}

/**
 * The rows for parts of TTFB: the upload, then the metrics of Server-Timing. Metrics have no start, so they are drawn
 * one after another if they fit.
 */
function withinTtfb(
  from: Milliseconds,
  to: Milliseconds,
  detail: ExchangeDetail,
  metrics: readonly ServerMetric[],
  scale: Milliseconds,
): TimingRow[] {
  const rows: TimingRow[] = [];
  const sub = (id: string, name: string, start: Milliseconds, length: Milliseconds): void => {
    rows.push(subRowOf(id, name, spanOf(start, Math.min(start + length, to), scale), length));
  };
  const upload = detail.exchange.requestBodySize > 0 ? detail.upload : null;
  if (upload !== null) sub("upload", "upload, body sent", from, upload);
  const shown = metrics.slice(0, MOST_METRICS);
  const begin = from + (upload ?? 0);
  const fits = begin + shown.reduce((sum, { length }) => sum + length, 0) <= to;
  let start = begin;
  for (const [index, { name, length }] of shown.entries()) {
    sub(`metric-${index}`, `server: ${name}`, fits ? start : begin, length);
    start += length;
  }
  return rows;
}

function subRowOf(id: string, name: string, span: BarSpan, length: Milliseconds): TimingRow {
  const figure = exactDurationText(length);
  return Object.freeze({ id, name, sub: true, bar: "timing-sub", spans: [span], word: "", figure, unit: "ms" });
}

function absenceOf(phase: Phase, { exchange, spans }: ExchangeDetail): string {
  if (phase === "tls" && /^(http|ws):/.test(exchange.origin)) return "plain HTTP";
  const connecting = phase === "dns" || phase === "connect" || phase === "tls";
  if (connecting && exchange.waitedFor === "connection" && exchange.reused === true) return "done for another exchange";
  if (connecting && exchange.reused === true) return "connection reused";
  if (exchange.outcome === null) return NOT_KNOWN_YET;
  if (phase === "weir") return "not measured";
  const hadBegun = phase === "transfer" && spans.at(-1)?.phase === "ttfb";
  return hadBegun && exchange.outcome.kind === "failed" ? "did not end" : "did not happen";
}

function ticksOf(scale: Milliseconds, step: Milliseconds) {
  const count = Math.round(scale / step);
  return Array.from({ length: count + 1 }, (_, index) =>
    Object.freeze({
      text: index === 0 ? "0" : axisText(index * step),
      position: Object.freeze({ left: `${((index / count) * 100).toFixed(3)}%` }),
    }),
  );
}

function spanOf(from: Milliseconds, to: Milliseconds, scale: Milliseconds): BarSpan {
  return Object.freeze({
    left: `${((from / scale) * 100).toFixed(3)}%`,
    width: `${((Math.max(0, to - from) / scale) * 100).toFixed(3)}%`,
  });
}

function factsOf(detail: ExchangeDetail, metrics: readonly ServerMetric[]) {
  const { exchange, phases } = detail;
  const facts: { readonly name: string; readonly value: string }[] = [];
  const longest = metrics.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined && phases.ttfb !== null && phases.ttfb > 0 && longest.length <= phases.ttfb) {
    facts.push({
      name: "Server-Timing",
      value: `${longest.name}, ${Math.round((longest.length / phases.ttfb) * 100)} % of TTFB`,
    });
  }
  facts.push({ name: "Connection", value: connectionText(detail) });
  facts.push({ name: "Started", value: exactClockText(exchange.instants.startTime) });
  return facts.map((fact) => Object.freeze(fact));
}

/** Whether the connection was reused, and the protocol; if either side used HTTP/2, the protocols of both sides. */
function connectionText({ exchange, responseHead }: ExchangeDetail): string {
  const { reused, protocol, stream } = exchange;
  if (exchange.outcome === null) return NOT_KNOWN_YET;
  if (reused === null) return "none";
  const clientProtocol = protocolName(protocol);
  const toServer = stream === null ? serverProtocol(responseHead, clientProtocol) : "HTTP/2";
  const protocols =
    toServer === "HTTP/2" || clientProtocol === "HTTP/2" ? bothSides(toServer, clientProtocol) : clientProtocol;
  return `${reused ? "reused" : "new"}, ${protocols}`;
}

function connectionTextsOf({ exchange, serverSharing, clientSharing, wait }: ExchangeDetail): string[] {
  return [
    exchange.uncertainty === 0 ? "" : `Weir was busy: ${uncertaintyText(exchange.uncertainty)}.`,
    wait === null ? "" : waitText(wait),
    serverConnectionText(exchange, serverSharing),
    clientConnectionText(exchange, clientSharing),
  ].filter((sentence) => sentence !== "");
}

function bothSides(toServer: string, toClient: string): string {
  return toServer === toClient ? toServer : `${toServer} to the server and ${toClient} to the client`;
}

/** The protocol in the server's response head; `clientProtocol` if there is no head. */
function serverProtocol(responseHead: string | null, clientProtocol: string): string {
  if (responseHead === null) return clientProtocol;
  return responseHead.startsWith("HTTP/2 ") ? "HTTP/2" : "HTTP/1.1";
}
