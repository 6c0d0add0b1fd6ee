import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { PHASES, type Phase } from "../../../engine/model/phases.ts";
import type { Milliseconds } from "../../../engine/model/units.ts";
import type { Wait } from "../../../engine/model/wait.ts";
import { clientCarrierText, serverCarrierText, waitText } from "../../format/carrier.ts";
import { exactClockText } from "../../format/clock.ts";
import { axisText, exactDurationText } from "../../format/duration.ts";
import { PHASE_NAMES } from "../../format/phases.ts";
import { niceCeiling } from "../../format/scale.ts";
import { comparisonOf } from "./comparison.ts";
import { AT_END } from "./facts.ts";
import { fieldOf, headersOf } from "./headers.ts";
import { type ServerMetric, serverMetricsOf } from "./server-timing.ts";
import { marksOf, percentilesOf, type TimingMark } from "./timing-marks.ts";

/** One bar on the ruler: a phase, or a thin bar within TTFB. */
interface TimingRow {
  readonly id: string;
  readonly name: string;
  readonly sub: boolean;
  /** Class of the bar and of its key; a key of sub-bars is not shown. */
  readonly bar: string;
  /** For :style; `null` = it did not happen, and `word` says why. */
  readonly place: Place | null;
  readonly word: string;
  readonly figure: string;
  readonly unit: string;
}

interface Place {
  readonly left: string;
  readonly width: string;
}

/** The Timing tab: text and percentages only. */
export interface Timing {
  readonly ticks: readonly { readonly text: string; readonly place: { readonly left: string } }[];
  readonly rows: readonly TimingRow[];
  readonly marks: readonly TimingMark[];
  /** Its latency, or how long it took until it failed, which `comparison` then says. */
  readonly length: string;
  readonly slow: boolean;
  readonly comparison: string;
  /** What carried it and what it waited for, in sentences. */
  readonly carriers: readonly string[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** Most Server-Timing metrics drawn. Our choice. */
const MOST_METRICS = 6;
/** A percentile further out than this many times the exchange's own end is not on its ruler. Our choice. */
const FURTHEST = 3;
/** A failure that came less than so many ms after a phase came with it. Our choice. */
const LEAST_UNFINISHED: Milliseconds = 0.05;

const BARS: Readonly<Record<Phase, string>> = {
  dns: "phase-dns",
  connect: "phase-connect",
  tls: "phase-tls",
  ttfb: "phase-ttfb",
  transfer: "phase-transfer",
};

export function timingOf(detail: ExchangeDetail): Timing {
  const metrics = serverMetricsOf(fieldOf(headersOf(detail.responseHead), "server-timing"));
  const percentiles = percentilesOf(detail.stats);
  const length = detail.latency ?? detail.failedAfter;
  // In flight it has no length of its own: then the ruler is its kind's, if it has one.
  const isUntimed = length === null && detail.spans.length === 0;
  const end = Math.max(length ?? 0, detail.spans.at(-1)?.to ?? 0, 1);
  const near = isUntimed ? percentiles : percentiles.filter(({ at }) => at <= end * FURTHEST);
  const step = niceCeiling(Math.max(end, ...near.map(({ at }) => at)) / 5);
  const scale = step * Math.ceil(Math.max(end, ...near.map(({ at }) => at)) / step);
  return Object.freeze({
    ticks: Object.freeze(isUntimed && near.length === 0 ? [] : ticksOf(scale, step)),
    rows: Object.freeze(rowsOf(detail, metrics, scale)),
    marks: Object.freeze(marksOf(near, scale)),
    length: exactDurationText(length),
    slow: detail.slow !== null,
    comparison: comparisonOf(detail),
    carriers: Object.freeze(carriersOf(detail)),
    facts: Object.freeze(factsOf(detail, metrics)),
  });
}

function rowsOf(detail: ExchangeDetail, metrics: readonly ServerMetric[], scale: Milliseconds): TimingRow[] {
  const rows = PHASES.flatMap((phase) => {
    const span = detail.spans.find((each) => each.phase === phase);
    const row: TimingRow = Object.freeze({
      id: phase,
      name: PHASE_NAMES[phase],
      sub: false,
      bar: BARS[phase],
      place: span === undefined ? null : placeOf(span.from, span.to, scale),
      word: span === undefined ? absenceOf(phase, detail) : "",
      figure: span === undefined ? "" : exactDurationText(span.to - span.from),
      unit: span === undefined ? "" : "ms",
    });
    return phase === "ttfb" && span !== undefined
      ? [row, ...withinTtfb(span.from, span.to, detail, metrics, scale)]
      : [row];
  });
  rows.push(...unfinishedOf(detail, scale));
  return detail.wait === null ? rows : [waitingOf(detail.wait, scale), ...rows];
}

/** From the last thing that is known of what failed to when it did: the phase in which it failed has no end. */
function unfinishedOf({ spans, wait, failedAfter }: ExchangeDetail, scale: Milliseconds): TimingRow[] {
  const from = spans.at(-1)?.to ?? wait?.to ?? 0;
  if (failedAfter === null || failedAfter - from < LEAST_UNFINISHED) return [];
  return [subRowOf("unfinished", "until it failed", placeOf(from, failedAfter, scale), failedAfter - from)];
}

/** There only where it happened: it is no phase. */
function waitingOf({ from, to }: Wait, scale: Milliseconds): TimingRow {
  return Object.freeze({
    id: "wait",
    name: "Waiting",
    sub: false,
    bar: "phase-wait",
    place: placeOf(from, to, scale),
    word: "",
    figure: exactDurationText(to - from),
    unit: "ms",
  });
}

/** Upload, then what the server says it did. Server-Timing has lengths only: drawn one after another where that fits. */
function withinTtfb(
  from: Milliseconds,
  to: Milliseconds,
  detail: ExchangeDetail,
  metrics: readonly ServerMetric[],
  scale: Milliseconds,
): TimingRow[] {
  const rows: TimingRow[] = [];
  const sub = (id: string, name: string, start: Milliseconds, length: Milliseconds): void => {
    rows.push(subRowOf(id, name, placeOf(start, Math.min(start + length, to), scale), length));
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

function subRowOf(id: string, name: string, place: Place, length: Milliseconds): TimingRow {
  const figure = exactDurationText(length);
  return Object.freeze({ id, name, sub: true, bar: "timing-sub", place, word: "", figure, unit: "ms" });
}

function absenceOf(phase: Phase, { exchange, spans }: ExchangeDetail): string {
  const connecting = phase === "dns" || phase === "connect" || phase === "tls";
  if (connecting && exchange.waitedFor === "connection" && exchange.reused === true) return "another exchange’s";
  if (connecting && exchange.reused === true) return "connection reused";
  if (phase === "tls" && /^(http|ws):/.test(exchange.origin)) return "plain HTTP";
  if (exchange.outcome === null) return AT_END;
  const hadBegun = phase === "transfer" && spans.at(-1)?.phase === "ttfb";
  return hadBegun && exchange.outcome.kind === "failed" ? "did not end" : "did not happen";
}

function ticksOf(scale: Milliseconds, step: Milliseconds): Timing["ticks"][number][] {
  const count = Math.round(scale / step);
  return Array.from({ length: count + 1 }, (_, index) =>
    Object.freeze({
      text: index === 0 ? "0" : axisText(index * step),
      place: Object.freeze({ left: `${((index / count) * 100).toFixed(3)}%` }),
    }),
  );
}

function placeOf(from: Milliseconds, to: Milliseconds, scale: Milliseconds): Place {
  return Object.freeze({
    left: `${((from / scale) * 100).toFixed(3)}%`,
    width: `${((Math.max(0, to - from) / scale) * 100).toFixed(3)}%`,
  });
}

function factsOf(detail: ExchangeDetail, metrics: readonly ServerMetric[]): Timing["facts"][number][] {
  const { exchange, phases, overhead } = detail;
  const facts: Timing["facts"][number][] = [];
  const longest = metrics.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined && phases.ttfb !== null && phases.ttfb > 0 && longest.length <= phases.ttfb) {
    facts.push({
      name: "Server-Timing",
      value: `${longest.name}, ${Math.round((longest.length / phases.ttfb) * 100)} % of TTFB`,
    });
  }
  facts.push({ name: "Connection", value: connectionText(detail) });
  facts.push({ name: "Started", value: exactClockText(exchange.instants.startTime) });
  if (overhead !== null) facts.push({ name: "Proxy overhead", value: `${exactDurationText(overhead)} ms` });
  return facts.map((fact) => Object.freeze(fact));
}

/** Whose protocols differ. */
function connectionText({ exchange, responseHead }: ExchangeDetail): string {
  const { reused, protocol, stream } = exchange;
  if (exchange.outcome === null) return AT_END;
  if (reused === null) return "none";
  const spoken = protocolName(protocol);
  const toServer = stream === null ? serverProtocol(responseHead, spoken) : "HTTP/2";
  const protocols = toServer === "HTTP/2" || spoken === "HTTP/2" ? bothSides(toServer, spoken) : spoken;
  return `${reused ? "reused" : "new"}, ${protocols}`;
}

function carriersOf({ exchange, serverSharing, clientSharing, wait }: ExchangeDetail): string[] {
  return [
    wait === null ? "" : waitText(wait),
    serverCarrierText(exchange, serverSharing),
    clientCarrierText(exchange, clientSharing),
  ].filter((sentence) => sentence !== "");
}

function bothSides(toServer: string, toClient: string): string {
  return toServer === toClient ? toServer : `${toServer} to the server and ${toClient} to the client`;
}

/** What the server's answer says by itself; without one nothing else is known. */
function serverProtocol(responseHead: string | null, spoken: string): string {
  if (responseHead === null) return spoken;
  return responseHead.startsWith("HTTP/2 ") ? "HTTP/2" : "HTTP/1.1";
}
