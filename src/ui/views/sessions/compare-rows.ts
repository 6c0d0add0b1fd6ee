import { reasonText, uncertainText, verdictText } from "../../../engine/insights/comparison-text.ts";
import type {
  CompareColumn,
  CompareFigures,
  CompareRecord,
  CompareVerdict,
  Distributions,
} from "../../../engine/messages/compare-messages.ts";
import type { Sort } from "../../../engine/messages/list-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countText, NO_FIGURE } from "../../format/count.ts";
import { axisText, durationText } from "../../format/duration.ts";
import { endpointTextsOf } from "../../format/endpoint.ts";
import { percentText } from "../../format/percent.ts";
import { pointsText } from "../../format/trend.ts";
import { compareShapeOf } from "../../parts/compare-shape.ts";
import { type Column, type ColumnHeader, headersOf } from "../column-headers.ts";

const COLUMNS: readonly Column<CompareColumn>[] = [
  { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
  { column: "verdict", label: "Latency", unit: "", kind: "flex items-center pl-4" },
  { column: null, label: "Distribution", unit: "", kind: "pl-2 slim:hidden" },
  { column: "lost", label: "Time in total", unit: "ms", kind: "cell-end" },
  { column: "p50", label: "p50", unit: "ms", kind: "cell-end @max-[1100px]/pane:hidden" },
  { column: "p95", label: "p95", unit: "ms", kind: "cell-end" },
  { column: "avgSize", label: "Avg Size", unit: "", kind: "cell-end @max-[1240px]/pane:hidden" },
  { column: "errorRate", label: "Error Rate", unit: "", kind: "cell-end" },
];

/** Width of the arrow between two figures with its gaps, in ch. */
const ARROW = 3;

/** Width of a character of the sample sizes, which are smaller than the other texts, in ch. */
const SMALL = 0.86;

const KINDS: Readonly<Record<CompareVerdict, string>> = {
  slower: "is-rising",
  faster: "is-falling",
  same: "is-stable",
  "same-median": "is-stable",
  unknown: "is-stable",
  absent: "is-omitted",
};

export type CompareRow = ReturnType<typeof compareRowOf>;

type Figure = keyof CompareFigures;

interface FigureTexts {
  readonly figure: Figure;
  readonly kind: string;
  /** Name and unit where the figure is in a sentence. */
  readonly name: string;
  readonly unit: string;
  text(value: number | null): string;
}

const FIGURES: readonly FigureTexts[] = [
  { figure: "p50", kind: "@max-[1100px]/pane:hidden", name: "p50", unit: " ms", text: durationText },
  { figure: "p95", kind: "", name: "p95", unit: " ms", text: durationText },
  {
    figure: "avgSize",
    kind: "@max-[1240px]/pane:hidden",
    name: "average size",
    unit: "",
    text: (value) => (value === null ? NO_FIGURE : bytesPhrase(Math.round(value))),
  },
  { figure: "errorRate", kind: "", name: "error rate", unit: "", text: percentText },
];

/** The columns of verdicts and figures, as wide as their texts: CSS properties in ch, "--p95": "15ch". */
export type CompareWidths = Readonly<Record<string, string>>;

/** The widths for these rows, and at least `before`, so that no column narrows while the list is scrolled. */
export function compareWidthsOf(rows: readonly CompareRow[], before: CompareWidths = {}): CompareWidths {
  const widthOf = (column: string, lengths: readonly number[]) => {
    const least = Number.parseInt(before[`--${column}`] ?? "0", 10);
    return [`--${column}`, `${Math.max(least, ...lengths)}ch`] as const;
  };
  const verdicts = rows.map(({ verdict, counts }) => verdict.length + Math.ceil(SMALL * counts.length));
  const figures = FIGURES.map(({ figure }, index) => {
    const lengths = rows.map(({ cells }) => {
      const { left = "", right = "" } = cells[index] ?? {};
      return left.length + right.length + (left === "" ? 0 : ARROW);
    });
    return widthOf(figure, lengths);
  });
  return Object.freeze(Object.fromEntries([widthOf("verdict", verdicts), ...figures]));
}

export function compareHeadsOf(sort: Sort<CompareColumn>): readonly ColumnHeader<CompareColumn>[] {
  return headersOf(COLUMNS, sort);
}

export function compareRowOf(record: CompareRecord) {
  const { left, right, change, verdict, distributions } = record;
  const isOne = left === null || right === null;
  const shown = FIGURES.map(({ figure, kind, name, unit, text }) => {
    const [before, after] = [left?.[figure] ?? null, right?.[figure] ?? null];
    const changed = changeText(change[figure], figure === "errorRate" ? pointsText : text);
    const first = isOne || text(before) === text(after) ? "" : text(before);
    const last = text(isOne ? (before ?? after) : after);
    const cell = Object.freeze({
      key: figure,
      kind,
      /** "" if one figure is shown: both sessions have the same one, or only one session has the endpoint. */
      left: first,
      right: last,
      /** Whether the change is zero or unknown; it is then shown dimmed. */
      same: changed === "",
      /** "+61", "−1.2 KB", "+2.1 points"; "" if a session lacks the figure or nothing changed. */
      change: changed,
    });
    return { cell, phrase: `${name} ${first === "" ? "" : `${first} → `}${last}${unit}` };
  });
  const figures = shown.map(({ phrase }) => phrase).join("; ");
  const texts = endpointTextsOf(record);
  return Object.freeze({
    key: record.endpoint,
    ...texts,
    /** The endpoint's tooltip: its URL and its figures. */
    cellTitle: `${texts.title}\n${figures}`,
    /**
     * For the latencies: a mark, a word, and the sample sizes, "n = 40, 38" or "n = 4 of 6, 38" where some are left
     * out.
     */
    verdictKind: KINDS[verdict],
    verdict: verdictText(record),
    counts: `n = ${countsOf(record)}`,
    /** The verdict's tooltip: the record's note, how many uncertain latencies are left out, and the sample sizes. */
    verdictTitle: [reasonText(record.note), uncertainText(record.uncertain), `${countsOf(record)} latencies counted`]
      .filter((text) => text !== "")
      .join("; "),
    /** The change of the time in total, "+1,204", "−350" or "0"; a dash if a session has no latency. */
    lost: record.lost === null ? NO_FIGURE : changeText(record.lost, durationText) || "0",
    /** Whether it is not told as a change: it is then shown dimmed. */
    lostSame: verdict !== "slower" && verdict !== "faster",
    /** The two distributions; `null` if a session has none. */
    shape: distributions === null ? null : namedShapeOf(distributions),
    /** "HTTP/1.1 → HTTP/2"; "" if both sessions used the same protocol, or one protocol is unknown. */
    protocols: protocolsText(record.protocols),
    /** The figures in both sessions, and their changes, which are not judged: `verdict` judges the latencies. */
    cells: Object.freeze(shown.map(({ cell }) => cell)),
    /** All figures in one line, since a narrow window has no columns for some: "p50 27 → 330 ms; p95 …". */
    figures,
  });
}

/** `text`: the text alternative, with both ends of the axis. */
function namedShapeOf(distributions: Distributions) {
  const { from, to } = distributions;
  const text = `Latencies from ${axisText(from)} to ${axisText(to)}`;
  return Object.freeze({ ...compareShapeOf(distributions), text });
}

/** "4 of 5, 7": the latencies of each side, and of how many where uncertain ones are left out. */
function countsOf({ left, right, samples, uncertain }: CompareRecord): string {
  const counted = (side: "left" | "right") =>
    uncertain[side] === 0
      ? countText(samples[side])
      : `${countText(samples[side])} of ${countText(samples[side] + uncertain[side])}`;
  return [left === null ? [] : counted("left"), right === null ? [] : counted("right")].flat().join(", ");
}

function protocolsText({ left, right }: CompareRecord["protocols"]): string {
  const [before, after] = [left, right].map((protocols) => protocols.map(protocolName).join(", "));
  return before === "" || after === "" || before === after ? "" : `${before} → ${after}`;
}

function changeText(change: number | null, text: (value: number) => string): string {
  if (change === null) return "";
  const size = text(Math.abs(change));
  if (change === 0 || size === text(0)) return "";
  return `${change > 0 ? "+" : "−"}${size}`;
}
