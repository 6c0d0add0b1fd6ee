import type { ChosenSet } from "../../../../src/engine/messages/difference-messages.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { matchingSourceOf } from "../../../../src/engine/report/export-source.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { namesLatency } from "../../../../src/engine/session/filter/term.ts";
import { inSlices, matchingSlices, pickedExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { ChosenIds } from "../../analysis-thread/analysis-messages.ts";
import { commandPause } from "../../process/timeslicer.ts";
import type { AnalysedSource } from "./analysis-work.ts";
import type { Handlers } from "./execute.ts";
import type { ShownSession } from "./shown-session.ts";

/** Answers what differs between two exchanges, and what a chosen set has that others lack. */
export function differenceHandlers(
  sourceOf: (shown: ShownSession) => AnalysedSource,
): Handlers<"compare-exchanges" | "what-differs"> {
  return {
    "compare-exchanges": ({ exchange, other }, { shown }) => {
      const { session, insights } = sourceOf(shown);
      const id = other === "marked" ? latestMarked(session, exchange) : other;
      if (id === null) throw new Error("No other exchange has a mark. Mark the one to compare with.");
      if (id === exchange) throw new Error("An exchange cannot be compared with itself. Choose another one.");
      return insights.comparison({ exchange, other: id });
    },
    "what-differs": async ({ set }, { shown }) => {
      const source = sourceOf(shown);
      return source.insights.difference(await chosenIdsOf(source, set));
    },
  };
}

/** The latest exchange with a mark, except this one. */
function latestMarked({ table }: Session, exchange: ExchangeId): ExchangeId | null {
  for (let row = table.nextRow - 1; row >= table.firstRow; row -= 1) {
    const id = table.ids.at(row) as ExchangeId;
    if (id !== exchange && !table.isHiddenAt(row) && table.annotations.at(row).mark !== null) return id;
  }
  return null;
}

/** The exchanges of the set. Throws the sentence that refuses its filter. */
async function chosenIdsOf(source: AnalysedSource, set: ChosenSet): Promise<ChosenIds> {
  const matching = matchingSourceOf(source);
  const isFilteredByLatency = namesLatency(unwrap(filterOf(set.filter)));
  if (set.by === "rows") {
    const { column } = set.sort;
    const isByLatency = isFilteredByLatency || column === "latency";
    const ids = Float64Array.from(unwrap(await inSlices(pickedExchanges(matching, set), commandPause())));
    return { ids, by: { isByTime: column === "id" || column === "startTime", isByLatency } };
  }
  const { list, evaluator } = unwrap(await inSlices(matchingSlices(matching, set.filter), commandPause()));
  const { table } = source.session;
  const { between } = set;
  const rows = list.rows(evaluator);
  const chosen = between === null ? rows : rows.filter((row) => startsWithin(table.instants.startAt(row), between));
  return {
    ids: Float64Array.from(chosen, (row) => table.ids.at(row)),
    by: { isByTime: between !== null, isByLatency: isFilteredByLatency },
  };
}

function startsWithin(start: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return start >= from && start <= to;
}
