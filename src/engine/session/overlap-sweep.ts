import { intervalOf } from "../insights/interval.ts";
import { ParallelSweep } from "../insights/parallel-groups.ts";
import { type BodyKey, RepeatSweep } from "../insights/repeats.ts";
import type { Slices } from "../model/slices.ts";
import type { ExchangeId } from "../model/units.ts";
import type { Overlaps } from "./findings.ts";
import { rowsByStart } from "./rows-by-start.ts";
import type { Session } from "./session.ts";

/** Our choice: rows, and ids in groups, of one slice of work: a few milliseconds. */
const ROWS_AT_ONCE = 2_000;
const IDS_AT_ONCE = 20_000;

/** Looks for parallel groups and repeats among the exchanges of a session, a slice of work with each step. */
export function* overlapsOf({ table }: Session, bodyKey: BodyKey): Slices<Overlaps> {
  const parallel = new ParallelSweep();
  const repeats = new RepeatSweep(bodyKey);
  const rows = yield* rowsByStart(table);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) {
      if (row < table.firstRow) continue;
      const exchange = table.exchangeAt(row);
      const interval = intervalOf(exchange);
      if (interval !== null) parallel.take(interval);
      repeats.take(exchange);
    }
    yield;
  }
  const groups = parallel.end();
  yield;
  const firsts = new Map<ExchangeId, ExchangeId>();
  for (const { exchanges } of groups) {
    for (const id of exchanges) {
      firsts.set(id, exchanges[0] as ExchangeId);
      if (firsts.size % IDS_AT_ONCE === 0) yield;
    }
  }
  return Object.freeze({ groups, repeats: repeats.end(), groupOf: (id: ExchangeId) => firsts.get(id) ?? null });
}
