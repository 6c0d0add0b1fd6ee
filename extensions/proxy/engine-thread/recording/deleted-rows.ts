import { setImmediate } from "node:timers/promises";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { Timeslicer } from "../../process/timeslicer.ts";

/** How many rows are taken out of the figures, or counted again, between two calls of `pause`: 10 to 25 ms. */
const ROWS_AT_ONCE = 400;
/** The pause after a time slice, as a multiple of the slice: the user waits for the figures. */
const REST = 0.5;

export interface DeletionChange {
  readonly gone: readonly ExchangeId[];
  readonly back: readonly ExchangeId[];
}

export function storedChange({ gone, back }: DeletionChange): (deleted: Set<ExchangeId>) => void {
  return (deleted) => {
    for (const id of gone) deleted.add(id);
    for (const id of back) deleted.delete(id);
  };
}

interface Part {
  readonly rows: readonly number[];
  readonly areGone: boolean;
}

/**
 * Deletes exchanges of a session in memory, and brings them back. Lists change at once; figures follow in slices, in
 * the order of the changes. Nothing is read from the disk, and no other exchange is folded.
 */
export class DeletedRows {
  readonly #session: () => Session;
  #parts: Part[] = [];
  #isStale = false;
  #counting: Promise<void> = Promise.resolve();

  /** `session`: the session now, which is to be replaced by what `change` returns. */
  constructor(session: () => Session) {
    this.#session = session;
  }

  /** Hides and shows rows. Returns the session that takes the place of the present one. */
  change({ gone, back }: DeletionChange): Session {
    const session = this.#session();
    this.#add(session.hide(gone), true);
    this.#add(session.show(back), false);
    return session.renewed();
  }

  /** Resolves once all figures have followed. */
  counted(): Promise<void> {
    const slicer = new Timeslicer(REST);
    const counted = this.#counting.then(async () => {
      await setImmediate();
      while (this.#countSome()) await slicer.pause();
    });
    this.#counting = counted.catch(() => {});
    return counted;
  }

  /** Lets all figures follow at once, for work that reads or regroups them. */
  countNow(): void {
    while (this.#countSome());
  }

  #countSome(): boolean {
    const part = this.#parts.shift();
    if (part === undefined) {
      if (this.#isStale) this.#session().recount();
      this.#isStale = false;
      return false;
    }
    this.#isStale = true;
    if (part.areGone) this.#session().uncount(part.rows);
    else this.#session().countAgain(part.rows);
    return true;
  }

  #add(rows: readonly number[], areGone: boolean): void {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      this.#parts.push({ rows: rows.slice(from, from + ROWS_AT_ONCE), areGone });
  }
}
