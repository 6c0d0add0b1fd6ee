import type { Sort } from "../../../engine/messages/list-messages.ts";
import type { Baseline, TrendColumn, TrendRecord } from "../../../engine/messages/trend-messages.ts";
import type { TrendMetric } from "../../../engine/model/findings.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { type EndpointTexts, endpointTextsOf } from "../../format/endpoint.ts";
import { changeTextOf, metricText, signedText } from "../../format/trend.ts";
import { type Column, type Head, headsOf } from "../table-heads.ts";
import { type TrendLine, trendLineOf } from "./trend-line.ts";

/** The metrics a person can switch between. */
export const METRICS: readonly { readonly metric: TrendMetric; readonly label: string }[] = Object.freeze([
  { metric: "latency", label: "p95" },
  { metric: "errorRate", label: "Error rate" },
  { metric: "payload", label: "Size" },
]);

const NOW_LABELS: Readonly<Record<TrendMetric, string>> = {
  latency: "p95 now",
  errorRate: "Error rate now",
  payload: "Avg Size now",
};

/** Fixed units stand in the heads. */
const UNITS: Readonly<Record<TrendMetric, string>> = { latency: "ms", errorRate: "%", payload: "" };

/** One endpoint against its past. */
export interface TrendRow extends EndpointTexts {
  readonly key: string;
  readonly endpoint: TrendRecord["endpoint"];
  readonly current: string;
  readonly baseline: string;
  readonly kind: string;
  readonly size: string;
  readonly word: string;
  /** "+60 ms". */
  readonly change: string;
  readonly sessions: string;
  readonly line: TrendLine;
  /** The line in words. */
  readonly course: string;
}

export function trendHeadsOf(sort: Sort<TrendColumn>, metric: TrendMetric): readonly Head<TrendColumn>[] {
  const columns: readonly Column<TrendColumn>[] = [
    { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
    { column: "current", label: NOW_LABELS[metric], unit: UNITS[metric], kind: "cell-end" },
    { column: "baseline", label: "Baseline", unit: UNITS[metric], kind: "cell-end" },
    { column: "change", label: "Change", unit: "", kind: "trend-head" },
    { column: null, label: "Sessions, then now", unit: "", kind: "trend-line-head" },
    { column: "sessions", label: "Compared", unit: "", kind: "cell-end" },
  ];
  return headsOf(columns, sort);
}

export function trendRowOf(record: TrendRecord): TrendRow {
  const { metric, baseline, current, series, sessions } = record;
  const { kind, size, word } = changeTextOf(record);
  const values = series.map((value) => metricText(metric, value)).join(", ");
  return Object.freeze({
    key: record.key,
    endpoint: record.endpoint,
    ...endpointTextsOf(record),
    current: bareText(metric, current),
    baseline: bareText(metric, baseline),
    kind,
    size,
    word,
    change: signedText(metric, record.change),
    sessions: countText(sessions),
    line: trendLineOf(record),
    course: `${countPhrase(sessions, "session", "sessions")}: ${values}; now ${metricText(metric, current)}`,
  });
}

function bareText(metric: TrendMetric, value: number): string {
  const text = metricText(metric, value);
  return UNITS[metric] === "" ? text : text.slice(0, -UNITS[metric].length - 1);
}

/** What stands in place of trends that cannot be told yet: "2 of 3 sessions recorded". */
export function recordedText({ sessions, needed }: Baseline): string {
  return sessions.length >= needed ? "" : `${sessions.length} of ${needed} sessions recorded`;
}

/** What the trends compare with; "" = with nothing yet. */
export function comparedText({ sessions, needed, omitted }: Baseline): string {
  if (sessions.length < needed) return "";
  const left = omitted === 0 ? "" : `; ${countPhrase(omitted, "endpoint has", "endpoints have")} too few of them`;
  return `Against the median of ${countPhrase(sessions.length, "completed session", "completed sessions")}${left}`;
}
