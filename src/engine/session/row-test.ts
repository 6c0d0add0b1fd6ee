/** What one term of a filter says of a row. */
export interface RowTest {
  holds(row: number): boolean;
  /** Moves those of the first `count` rows for which it holds to the front, in their order; how many they are. */
  keep(rows: Uint32Array, count: number): number;
}

/** A test in one function. */
export class PlainTest implements RowTest {
  readonly holds: (row: number) => boolean;

  constructor(holds: (row: number) => boolean) {
    this.holds = holds;
  }

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
