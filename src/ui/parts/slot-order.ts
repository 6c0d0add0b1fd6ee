/**
 * Which slots of a list stand where, from the top. When the list moves by a few rows, the slots that leave at one end come
 * in at the other, so that those still in sight keep their rows and nothing of them is drawn again:
 *
 *   rows 7 8 9 10 in slots 0 1 2 3   ── down by one ──▶   rows 8 9 10 11 in slots 1 2 3 0
 *
 * An element that is moved is styled and laid out anew, so when most of the rows leave, new texts in all of them cost less.
 */
export class SlotOrder {
  #slots: number[] = [];
  #first = 0;

  /** The slots for `count` rows from row `first` on. `window` holds them, after the template that they are made from. */
  at(first: number, count: number, window: HTMLElement): readonly number[] {
    const moved = first - this.#first;
    this.#first = first;
    if (moved !== 0 && Math.abs(moved) * 2 <= this.#slots.length) this.#turn(moved, window);
    this.#slots.length = Math.min(this.#slots.length, count);
    for (let slot = 0; this.#slots.length < count; slot += 1) if (!this.#slots.includes(slot)) this.#slots.push(slot);
    return this.#slots;
  }

  /** The elements are moved here, because x-for would bring them in their new order one by one. */
  #turn(moved: number, window: HTMLElement): void {
    const [template, ...rows] = window.children;
    const isWhole = rows.length === this.#slots.length;
    if (moved > 0) {
      this.#slots.push(...this.#slots.splice(0, moved));
      if (isWhole) window.append(...rows.slice(0, moved));
    } else {
      this.#slots.unshift(...this.#slots.splice(moved));
      if (isWhole) template?.after(...rows.slice(moved));
    }
  }
}
