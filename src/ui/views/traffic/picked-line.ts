import type { ExchangeId } from "../../../engine/model/units.ts";
import type { Picked, Place } from "../../parts/picked-rows.ts";
import type { QueryOf, ValueSubscription, Windows } from "../../state/windows.ts";
import type { PickedRows } from "../exchange-actions.ts";
import { type SumItem, sumItemsOf } from "./sums.ts";

/** What the line below the list shows, and what it says aloud: once for each time that others are picked, however often it changes. */
type Show = (items: readonly SumItem[], spoken: string) => void;

/** The line of sums while rows are picked. The engine adds up, whether they are two or a million. */
export class PickedLine {
  readonly #windows: Windows;
  readonly #show: Show;
  #sums: ValueSubscription<"picked"> | null = null;
  #rows: PickedRows | null = null;
  #spoken = "";

  constructor(windows: Windows, show: Show) {
    this.#windows = windows;
    this.#show = show;
  }

  /** The rows that are picked; `null`: none is. */
  get rows(): PickedRows | null {
    return this.#rows;
  }

  /** These rows are picked now, of a list in that order. */
  pick(picked: Picked, { filter, sort }: Pick<QueryOf<"traffic">, "filter" | "sort">): void {
    this.#spoken = "";
    if (picked.length === 0) {
      this.close();
      this.#draw();
      return;
    }
    const stretches = picked.map(({ from, to }) => ({ from: keyOf(from), to: keyOf(to) }));
    this.#rows = Object.freeze({ filter, sort, stretches });
    const asked = { view: "picked", ...this.#rows } as const;
    this.#sums ??= this.#windows.value(asked, () => this.#draw());
    this.#sums.update(asked);
  }

  close(): void {
    this.#sums?.close();
    this.#sums = null;
    this.#rows = null;
  }

  #draw(): void {
    const items = sumItemsOf(this.#sums?.value ?? null);
    this.#spoken ||= items.map(({ before, figure, after }) => before + figure + after).join(", ");
    this.#show(items, this.#spoken);
  }
}

function keyOf(place: Place | null): ExchangeId | null {
  return place === null ? null : (place.key as ExchangeId);
}
