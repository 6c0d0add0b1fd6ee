import { leftOutText } from "../../../../engine/insights/findings/text.ts";
import type { Sort } from "../../../../engine/messages/list-messages.ts";
import type { Baseline, TrendColumn, TrendRecord } from "../../../../engine/messages/trend-messages.ts";
import type { TrendMetric } from "../../../../engine/model/trend.ts";
import { countPhrase, countText } from "../../../format/count.ts";
import { endpointTextsOf } from "../../../format/endpoint.ts";
import { nameOf } from "../../../format/session-name.ts";
import { type ChangeText, changeTextOf, metricText, signedText } from "../../../format/trend.ts";
import { type Column, type ColumnHeader, headersOf } from "../../column-headers.ts";

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

/** Units that all rows share, shown in the headers. */
const UNITS: Readonly<Record<TrendMetric, string>> = { latency: "ms", errorRate: "%", payload: "" };

/** An endpoint compared with its baseline. */
export type TrendRow = ReturnType<typeof trendRowOf>;

export function trendHeadsOf(sort: Sort<TrendColumn>, metric: TrendMetric): readonly ColumnHeader<TrendColumn>[] {
  const middle: Column<TrendColumn> = { column: null, label: "p50 now", unit: "ms", kind: "cell-end" };
  const columns: readonly Column<TrendColumn>[] = [
    { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
    ...(metric === "latency" ? [middle] : []),
    { column: "current", label: NOW_LABELS[metric], unit: UNITS[metric], kind: "cell-end" },
    { column: "baseline", label: "Baseline", unit: UNITS[metric], kind: "cell-end narrow:hidden" },
    { column: "change", label: "Change", unit: "", kind: "pl-6 narrow:pl-4" },
    { column: null, label: "Baseline and now", unit: "", kind: "pl-8 narrow:pl-2 slim:hidden" },
    { column: "sessions", label: "Compared", unit: "", kind: "cell-end narrow:hidden" },
  ];
  return headersOf(columns, sort);
}

export function trendRowOf(record: TrendRecord) {
  const { metric, baseline, current, series, sessions } = record;
  const { kind, size, word, detail } = shownChangeOf(record);
  const change = signedText(metric, record.change);
  const values = series.map((value) => metricText(metric, value)).join(", ");
  const notes = [leftOutText(record.uncertain), record.note ?? ""].filter((text) => text !== "");
  return Object.freeze({
    key: record.key,
    endpoint: record.endpoint,
    ...endpointTextsOf(record),
    ...middleTextsOf(record),
    current: bareText(metric, current),
    baseline: bareText(metric, baseline),
    kind,
    size,
    word,
    /** The change, "+60 ms"; "" if it cannot be judged, and the title says why. */
    change: detail === "" ? change : "",
    title: `${change} against ${metricText(metric, baseline)}, n = ${[countText(record.n), ...notes].join("; ")}`,
    sessions: countText(sessions),
    line: trendLineOf(record),
    /** The text alternative of the line. */
    course: `${countPhrase(sessions, "session", "sessions")}: ${values}; now ${metricText(metric, current)}`,
  });
}

/** The change shown in the row: of the p95, or of the p50 if only the p50 changed. */
function shownChangeOf(record: TrendRecord): ChangeText {
  const { metric, direction, percentiles } = record;
  const isMiddle = percentiles !== null && percentiles.p95.direction !== direction;
  return isMiddle ? changeTextOf({ metric, ...percentiles.p50, note: record.note }) : changeTextOf(record);
}

/** For latencies: the current p50, the CSS class of its mark and the size of its change; "" for other metrics. */
function middleTextsOf({ percentiles }: TrendRecord) {
  if (percentiles === null) return { middle: "", middleKind: "", middleSize: "", middleTitle: "" };
  const { p50 } = percentiles;
  const { kind, size, word, detail } = changeTextOf({ metric: "latency", ...p50 });
  const against = `${signedText("latency", p50.change)} against ${metricText("latency", p50.baseline)}`;
  return {
    middle: bareText("latency", p50.current),
    middleKind: kind,
    middleSize: size,
    middleTitle: `p50 ${against}: ${detail === "" ? word : `${word}, ${detail}`}`,
  };
}

function bareText(metric: TrendMetric, value: number): string {
  const text = metricText(metric, value);
  return UNITS[metric] === "" ? text : text.slice(0, -UNITS[metric].length - 1);
}

/** "2 of 3 completed sessions recorded"; "" if there are enough sessions for trends. */
export function recordedText({ sessions, needed }: Baseline): string {
  return sessions.length >= needed ? "" : `${sessions.length} of ${needed} completed sessions recorded`;
}

/** What the trends are compared with, as text; "" if there is no baseline yet. */
export function comparedText({ sessions, needed, omitted }: Baseline): string {
  if (sessions.length < needed) return "";
  const left = omitted === 0 ? "" : `; ${countPhrase(omitted, "endpoint has", "endpoints have")} too few sessions`;
  return `Compared with the median of ${countPhrase(sessions.length, "completed session", "completed sessions")}${left}`;
}

/**
 * The names of the baseline sessions, the oldest first; without a name, the start: "Before the cache, Session of
 * 14:02:11".
 */
export function comparedNames({ sessions }: Baseline): string {
  return sessions.map((session) => nameOf({ ...session, state: "completed" })).join(", ");
}

/*
 * A line through the values of the baseline sessions, the oldest at the left. It ends at the current value, which is a
 * dot. The shaded band is the stable range, and the dotted line is the baseline:
 *
 *                    ●
 *     ░░░░░░░░░░░░░░░░
 *     ·╱╲·╱╲__·╱·······
 *     ░░░░░░░░░░░░░░░░
 */

const TREND_WIDTH = 168;
const HEIGHT = 28;
const MARGIN = 4;

export function trendLineOf({
  series,
  current,
  baseline,
  band,
}: Pick<TrendRecord, "series" | "current" | "baseline" | "band">) {
  const values = [...series, current];
  const low = Math.min(...values, band.low);
  const high = Math.max(...values, band.high);
  const y = (value: number): number =>
    tenth(HEIGHT - MARGIN - ((value - low) / Math.max(high - low, Number.MIN_VALUE)) * (HEIGHT - 2 * MARGIN));
  const x = (index: number): number =>
    tenth(MARGIN + (index / Math.max(values.length - 1, 1)) * (TREND_WIDTH - 2 * MARGIN));
  const points = values.map((value, index) => `${x(index)} ${y(value)}`);
  return Object.freeze({
    band: `M0 ${y(band.high)}H${TREND_WIDTH}V${y(band.low)}H0z`,
    baseline: `M0 ${y(baseline)}H${TREND_WIDTH}`,
    line: `M${points.join("L")}`,
    end: `M${points.at(-1) ?? "0 0"}h0`,
  });
}

function tenth(units: number): number {
  return Math.round(units * 10) / 10;
}
