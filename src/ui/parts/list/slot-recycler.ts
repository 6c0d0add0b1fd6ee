/**
 * The slots of a list in order, from the top. When the list moves by a few rows, the slots that leave at one end are
 * used again at the other end. The slots between keep their rows and are not redrawn:
 *
 *   rows 7 8 9 10 in slots 0 1 2 3   ── down by one ──▶   rows 8 9 10 11 in slots 1 2 3 0
 *
 * If most rows leave, all slots get new texts instead, because the browser computes style and layout of each moved
 * element anew.
 */
export class SlotRecycler {
  #slots: number[] = [];
  #first = 0;

  /** The slots for `count` rows from the row `first` on. `window` contains their elements, after the template. */
  at(first: number, count: number, window: HTMLElement): readonly number[] {
    const moved = first - this.#first;
    this.#first = first;
    if (moved !== 0 && Math.abs(moved) * 2 <= this.#slots.length) this.#turn(moved, window);
    this.#slots.length = Math.min(this.#slots.length, count);
    for (let slot = 0; this.#slots.length < count; slot += 1) if (!this.#slots.includes(slot)) this.#slots.push(slot);
    return this.#slots;
  }

  /** Moves slots and their elements from one end to the other. x-for would move the elements one by one. */
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
