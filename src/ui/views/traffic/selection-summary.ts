import type { PickedSums } from "../../../engine/messages/traffic-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import type { RowPosition, SelectedRows } from "../../parts/list/selected-rows.ts";
import type { PickedRows } from "../../state/selection.ts";
import type { QueryOf, SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";

/** A figure of the summary line, with the words beside it. */
export interface SummaryItem {
  readonly before: string;
  readonly figure: string;
  readonly after: string;
}

/** Shows the line below the list, and announces a text once per selection. */
type Show = (items: readonly SummaryItem[], announcement: string) => void;

/** The summary line for the selected rows, which the engine adds up. */
export class SelectionSummary {
  readonly #windows: SubscriptionStore;
  readonly #show: Show;
  #totals: ValueSubscription<"picked"> | null = null;
  #rows: PickedRows | null = null;
  #announcement = "";

  constructor(windows: SubscriptionStore, show: Show) {
    this.#windows = windows;
    this.#show = show;
  }

  /** The selected rows; `null`: none. */
  get rows(): PickedRows | null {
    return this.#rows;
  }

  get count(): number {
    return this.#totals?.value?.count ?? 0;
  }

  /** Sets the selected rows. `filter` and `sort` are the list's at the time of the selection. */
  select(selected: SelectedRows, { filter, sort }: Pick<QueryOf<"traffic">, "filter" | "sort">): void {
    this.#announcement = "";
    if (selected.length === 0) {
      this.close();
      this.#draw();
      return;
    }
    const ranges = selected.map(({ from, to }) => ({ from: keyOf(from), to: keyOf(to) }));
    this.#rows = Object.freeze({ filter, sort, stretches: ranges });
    const query = { view: "picked", ...this.#rows } as const;
    this.#totals ??= this.#windows.value(query, () => this.#draw());
    this.#totals.update(query);
  }

  close(): void {
    this.#totals?.close();
    this.#totals = null;
    this.#rows = null;
  }

  #draw(): void {
    const items = summaryItemsOf(this.#totals?.value ?? null);
    this.#announcement ||= items.map(({ before, figure, after }) => before + figure + after).join(", ");
    this.#show(items, this.#announcement);
  }
}

function keyOf(row: RowPosition | null): ExchangeId | null {
  return row === null ? null : (row.key as ExchangeId);
}

/** The totals of several rows; empty for a single row, which shows its values itself. */
export function summaryItemsOf(totals: PickedSums | null): readonly SummaryItem[] {
  if (totals === null || totals.count < 2) return Object.freeze([]);
  const { count, errors, bytes, p50, p95, longest } = totals;
  const latencies = [
    { before: "p50 ", length: p50 },
    { before: "p95 ", length: p95 },
    { before: "max ", length: longest },
  ];
  return Object.freeze([
    { before: "", figure: countText(count), after: " selected" },
    { before: "", figure: bytesPhrase(bytes), after: "" },
    ...latencies.flatMap(({ before, length }) =>
      length === null ? [] : [{ before, figure: durationText(length), after: " ms" }],
    ),
    { before: "", figure: countText(errors), after: errors === 1 ? " error" : " errors" },
  ]);
}
