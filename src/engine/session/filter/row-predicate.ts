/** One term of a filter, as a test of rows. */
export abstract class RowPredicate {
  abstract holds(row: number): boolean;

  /** Moves the matching rows among the first `count` to the front, in order, and returns their number. */
  retainMatches(rows: Uint32Array, count: number): number {
    let kept = 0;
    for (let place = 0; place < count; place += 1) {
      const row = rows[place] as number;
      if (!this.holds(row)) continue;
      rows[kept] = row;
      kept += 1;
    }
    return kept;
  }
}

export class FunctionPredicate extends RowPredicate {
  readonly #test: (row: number) => boolean;

  constructor(test: (row: number) => boolean) {
    super();
    this.#test = test;
  }

  override holds(row: number): boolean {
    return this.#test(row);
  }
}

/** Matches the rows that another predicate does not match. */
export class NotPredicate extends RowPredicate {
  readonly #excluded: RowPredicate;

  constructor(excluded: RowPredicate) {
    super();
    this.#excluded = excluded;
  }

  override holds(row: number): boolean {
    return !this.#excluded.holds(row);
  }
}

/** Matches the rows that at least one of several predicates matches. */
export class AnyPredicate extends RowPredicate {
  readonly #choices: readonly RowPredicate[];

  constructor(choices: readonly RowPredicate[]) {
    super();
    this.#choices = choices;
  }

  override holds(row: number): boolean {
    return this.#choices.some((choice) => choice.holds(row));
  }
}

/** Matches the rows that each of several predicates matches. */
export class AllPredicate extends RowPredicate {
  readonly #parts: readonly RowPredicate[];

  constructor(parts: readonly RowPredicate[]) {
    super();
    this.#parts = parts;
  }

  override holds(row: number): boolean {
    return this.#parts.every((part) => part.holds(row));
  }
}
