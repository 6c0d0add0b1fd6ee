import type { Figures, JudgedSummary } from "../../../engine/messages/status-messages.ts";
import type { Instant } from "../../../engine/model/units.ts";
import { bytesPhrase, bytesText } from "../../format/bytes.ts";
import { countPhrase, countText, NO_FIGURE, NOT_COUNTED } from "../../format/count.ts";
import { durationText, elapsedText } from "../../format/duration.ts";
import { changeShareText, percentText, timesText } from "../../format/percent.ts";
import { barsPath, endPath, levelPath, linePath } from "../../parts/sparkline.ts";

/** One of the four figures at the top, and its course over the session. */
export interface FigureRow {
  readonly label: string;
  readonly context: string;
  readonly value: string;
  readonly unit: string;
  /** Paths of the sparkline: bars, or a line with a dot at its end. */
  readonly bars: string;
  readonly line: string;
  readonly end: string;
  /** Path of a dotted line at the baseline; "" if the baseline is unknown. */
  readonly baseline: string;
  /** What the context's count is of, or leaves out; "" if that is plain. */
  readonly contextTitle: string;
  /** Class for the judgement of the context: is-rising, is-falling, is-stable; "" if there is no judgement. */
  readonly contextKind: string;
  readonly failing: boolean;
  /** The text alternative of the sparkline. */
  readonly description: string;
}

/**
 * The four figures (docs/specification.md, Four figures on top). `matching`: the figures of the exchanges that match
 * the filter; `null`: no filter.
 */
export function figuresOf(whole: JudgedSummary, matching: Figures | null, now: Instant): readonly FigureRow[] {
  const summary = matching ?? whole;
  const { slices, bytes } = summary;
  const sizes = bytesText(bytes);
  const requests = slices.map((slice) => slice.requests);
  const errors = slices.map((slice) => slice.errors);
  const sent = slices.map((slice) => slice.bytes);
  const p95 = slices.map((slice) => slice.p95);
  const known = p95.filter((value) => value !== null);
  const each =
    summary.sliceLength >= 1000 ? `in each ${elapsedText(summary.sliceLength)} of the session` : "in each slice";
  // The baseline covers whole sessions, so it is not compared with filtered exchanges.
  const baselineP95 = matching === null ? whole.baselineP95 : null;
  const baseline = matching === null ? baselineOf(whole) : NO_BASELINE;
  const matches = matching === null ? "" : `${countText(matching.exchanges)} of ${countText(whole.exchanges)}`;
  const [percent, percentUnit] = percentText(summary.errorRate).split(/ (?=%$)/);
  return Object.freeze([
    figure({
      label: "Rate, last minute",
      context: matching === null ? elapsedOf(whole, now) : matches,
      contextTitle: matching === null ? "" : `${matches} exchanges match the filter`,
      value: summary.ratePerMinute < 99.95 ? summary.ratePerMinute.toFixed(1) : countText(summary.ratePerMinute),
      unit: "/min",
      bars: barsPath(requests),
      description: `Up to ${countPhrase(Math.max(0, ...requests), "request", "requests")} ${each}`,
    }),
    figure({
      label: matching === null ? "p95 of all requests" : "p95 of matching requests",
      ...baseline,
      value: durationText(summary.p95),
      unit: summary.p95 === null ? "" : "ms",
      line: linePath(p95, baselineP95),
      end: endPath(p95, baselineP95),
      description:
        known.length === 0
          ? "No latency yet"
          : `From ${durationText(Math.min(...known))} to ${durationText(Math.max(...known))} ms ${each}`,
    }),
    figure({
      label: "Errors",
      context:
        summary.counted === 0
          ? ""
          : `${countText(summary.errors)} of ${countPhrase(summary.counted, "request", "requests")}`,
      contextTitle: NOT_COUNTED,
      value: percent ?? NO_FIGURE,
      unit: percentUnit ?? "",
      bars: barsPath(errors),
      failing: true,
      description: `Up to ${countPhrase(Math.max(0, ...errors), "error", "errors")} ${each}`,
    }),
    figure({
      label: "Transferred",
      context: "bodies, encoded",
      value: sizes.value,
      unit: sizes.unit,
      bars: barsPath(sent),
      description: `Up to ${bytesPhrase(Math.max(0, ...sent))} ${each}`,
    }),
  ]);
}

function elapsedOf({ exchanges, sessionStart }: Figures, now: Instant): string {
  return sessionStart === null
    ? ""
    : `${countPhrase(exchanges, "exchange", "exchanges")} in ${elapsedText(now - sessionStart)}`;
}

const KINDS = { up: "is-rising", down: "is-falling", stable: "is-stable" } as const;

/** The session's p95 compared with the median p95 of the baseline sessions. */
function baselineOf(summary: JudgedSummary): Pick<FigureRow, "context" | "contextKind" | "contextTitle" | "baseline"> {
  const { p95, baselineP95, p95Direction, slices } = summary;
  if (p95 === null || baselineP95 === null || p95Direction === null || baselineP95 <= 0) return NO_BASELINE;
  const change = (p95 / baselineP95 - 1) * 100;
  const share = changeShareText(change);
  const contexts = {
    up: share === null ? `${timesText(change)} the baseline` : `${share} over baseline`,
    down: `${share} under baseline`,
    stable: "as in the baseline",
  };
  return {
    context: contexts[p95Direction],
    contextTitle: "The p95 of all requests follows the mix of endpoints. Trends judges each endpoint.",
    contextKind: KINDS[p95Direction],
    baseline: levelPath(
      slices.map((slice) => slice.p95),
      baselineP95,
    ),
  };
}

const NO_BASELINE = Object.freeze({ context: "", contextTitle: "", contextKind: "", baseline: "" });

function figure(known: Partial<FigureRow> & Pick<FigureRow, "label" | "value" | "unit" | "description">): FigureRow {
  return Object.freeze({
    context: "",
    contextTitle: "",
    contextKind: "",
    bars: "",
    line: "",
    end: "",
    baseline: "",
    failing: false,
    ...known,
  });
}
