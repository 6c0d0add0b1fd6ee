import type { CompareColumn, CompareFigures, CompareRecord } from "../../../engine/messages/compare-messages.ts";
import type { Sort } from "../../../engine/messages/list-messages.ts";
import { protocolName } from "../../../engine/model/exchange.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countText, NO_FIGURE } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf } from "../../format/endpoint.ts";
import { percentText } from "../../format/percent.ts";
import { pointsText } from "../../format/trend.ts";
import { type Column, type Head, headsOf } from "../table-heads.ts";

const COLUMNS: readonly Column<CompareColumn>[] = [
  { column: "endpoint", label: "Endpoint", unit: "", kind: "" },
  { column: "requests", label: "Requests", unit: "", kind: "cell-end compare-extra" },
  { column: "p50", label: "p50", unit: "ms", kind: "cell-end" },
  { column: "p95", label: "p95", unit: "ms", kind: "cell-end" },
  { column: "p99", label: "p99", unit: "ms", kind: "cell-end compare-extra" },
  { column: "avgSize", label: "Avg Size", unit: "", kind: "cell-end" },
  { column: "errorRate", label: "Error Rate", unit: "", kind: "cell-end" },
];

/** A figure before and after, and the change, without a judgement: beside p95, which says what got slower, in sight. */
export interface CompareCell {
  readonly key: string;
  readonly kind: string;
  /** "" where neither side has the figure: one dash says that. */
  readonly left: string;
  readonly right: string;
  /** Nothing changed, or that cannot be said: it stands quieter. */
  readonly same: boolean;
  /** "+61", "-1.2 KB", "+2.1 points"; "" where one side is missing or nothing changed. */
  readonly change: string;
}

/** One endpoint of two sessions. */
export interface CompareRow extends EndpointTexts {
  readonly key: string;
  /** "HTTP/1.1 → HTTP/2"; "" where both spoke the same, or one is not known. */
  readonly protocols: string;
  readonly cells: readonly CompareCell[];
}

type Figure = keyof CompareFigures;

const FIGURES: readonly { readonly figure: Figure; readonly kind: string; text(value: number | null): string }[] = [
  { figure: "requests", kind: "compare-extra", text: (value) => (value === null ? NO_FIGURE : countText(value)) },
  { figure: "p50", kind: "", text: durationText },
  { figure: "p95", kind: "compare-subject", text: durationText },
  { figure: "p99", kind: "compare-extra", text: durationText },
  { figure: "avgSize", kind: "", text: (value) => (value === null ? NO_FIGURE : bytesPhrase(Math.round(value))) },
  { figure: "errorRate", kind: "", text: percentText },
];

export function compareHeadsOf(sort: Sort<CompareColumn>): readonly Head<CompareColumn>[] {
  return headsOf(COLUMNS, sort);
}

export function compareRowOf(record: CompareRecord): CompareRow {
  const { left, right, change } = record;
  return Object.freeze({
    key: record.endpoint,
    ...endpointTextsOf(record),
    protocols: protocolsText(record.protocols),
    cells: Object.freeze(
      FIGURES.map(({ figure, kind, text }) => {
        const [before, after] = [left?.[figure] ?? null, right?.[figure] ?? null];
        const changed = changeText(change[figure], figure === "errorRate" ? pointsText : text);
        return Object.freeze({
          key: figure,
          kind,
          left: before === null && after === null ? "" : text(before),
          right: text(after),
          same: changed === "",
          change: changed,
        });
      }),
    ),
  });
}

function protocolsText({ left, right }: CompareRecord["protocols"]): string {
  const [before, after] = [left, right].map((protocols) => protocols.map(protocolName).join(", "));
  return before === "" || after === "" || before === after ? "" : `${before} → ${after}`;
}

function changeText(change: number | null, text: (value: number) => string): string {
  if (change === null) return "";
  const size = text(Math.abs(change));
  if (change === 0 || size === text(0)) return "";
  return `${change > 0 ? "+" : "-"}${size}`;
}
