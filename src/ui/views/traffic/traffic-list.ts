import type { ExchangeId } from "../../../engine/model/units.ts";
import { axisText } from "../../format/duration.ts";
import type { VirtualListOptions } from "../../parts/list/list-options.ts";
import { LAST_ROWS } from "../../parts/list/requested-range.ts";
import type { Selected } from "../../state/selection.ts";
import type { QueryOf, SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { RecordList } from "../record-list.ts";
import { BarredRows, type DrawnRow } from "./barred-rows.ts";
import type { ColumnName } from "./columns.ts";
import { sortOf } from "./sort.ts";

/** Height of a row, as in tokens.css (--row). */
const ROW = 28;

type Query = QueryOf<"traffic"> & { readonly view: "traffic" };

interface TrafficListOptions
  extends Required<Pick<VirtualListOptions<DrawnRow>, "missed" | "draw" | "selectionChanged">> {
  readonly deps: Pick<ViewDependencies, "windows" | "selection" | "now">;
  shown(): ReadonlySet<ColumnName>;
  /** Called after each answer. */
  arrived(): void;
  /** Called with the end of the bars' shared axis as text; empty if there are no bars. */
  scaled(text: string): void;
}

export function firstQueryOf({ filter, trafficSort }: Selected): Query {
  return Object.freeze({ view: "traffic", filter, sort: sortOf(trafficSort), range: LAST_ROWS });
}

/** The exchanges as a list, whose bars share an axis. */
export class TrafficList extends RecordList<"traffic", DrawnRow> {
  readonly #windows: SubscriptionStore;
  /** While pending: the subscription for the position of an exchange to show. */
  #position: ValueSubscription<"position"> | null = null;

  constructor({ deps, shown, scaled, ...options }: TrafficListOptions) {
    const { windows, selection, now } = deps;
    const rows = new BarredRows(now);
    super({
      ...options,
      windows,
      name: "traffic-row",
      rowHeight: ROW,
      query: firstQueryOf(selection.now),
      follows: () => this.query.sort.column === "startTime" && !this.query.sort.descending,
      seeing: (first, count) => {
        rows.fit(Array.from({ length: count }, (_, index) => this.recordAt(first + index) ?? []).flat());
        scaled(count > 0 && shown().has("phases") ? `0 to ${axisText(rows.scale)}` : "");
      },
      keyOf: ({ id }) => id,
      rowOf: (record) => rows.rowOf(record, shown(), selection.now.finding?.exchanges.has(record.id)),
      isFinal: () => false,
      positionOf: (key, tell) => this.#findPosition(key as ExchangeId, tell),
      moved: (key) => {
        const active = key as ExchangeId;
        selection.set(selection.now.exchange === null ? { active } : { active, exchange: active });
      },
      opened: (key) => selection.set({ active: key as ExchangeId, exchange: key as ExchangeId }),
    });
    this.#windows = windows;
  }

  override close(): void {
    super.close();
    this.#position?.close();
  }

  #findPosition(exchange: ExchangeId, tell: (index: number | null) => void): void {
    const { filter, sort } = this.answeredQuery;
    this.#position?.close();
    const position = this.#windows.value({ view: "position", exchange, filter, sort }, () => {
      position.close();
      tell(position.value?.index ?? null);
    });
    this.#position = position;
  }
}
