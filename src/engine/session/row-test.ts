/** What one term of a filter says of a row. */
export abstract class RowTest {
  abstract holds(row: number): boolean;

  /** Moves those of the first `count` rows for which it holds to the front, in their order; how many they are. */
  keep(rows: Uint32Array, count: number): number {
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

/** A test in one function. */
export class PlainTest extends RowTest {
  readonly #test: (row: number) => boolean;

  constructor(test: (row: number) => boolean) {
    super();
    this.#test = test;
  }

  override holds(row: number): boolean {
    return this.#test(row);
  }
}
