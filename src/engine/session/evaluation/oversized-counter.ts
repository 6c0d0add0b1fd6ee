import type { Settings } from "../../model/settings.ts";
import type { Session } from "../session.ts";
import type { InsightEvaluator } from "./insight-evaluator.ts";

/** Counts each endpoint's oversized responses in the table. Counts again only if the session or settings changed. */
export class OversizedCounter {
  #seen: { readonly session: Session; readonly revision: number; readonly settings: Settings } | null = null;
  /** The number of oversized responses, by the endpoint's number. */
  #counts = new Uint32Array(0);

  counts(session: Session, settings: Settings, evaluator: InsightEvaluator): Uint32Array {
    const { revision, table } = session;
    const { session: before, revision: known, settings: judged } = this.#seen ?? {};
    if (before === session && known === revision && judged === settings) return this.#counts;
    const counts = new Uint32Array(table.endpoints.size);
    // Reads all limits at once: most responses are below their limit, and a call for each row would double the time.
    const limits = evaluator.leastOversizedOfAll();
    for (let row = table.firstRow; row < table.nextRow; row += 1) {
      const number = table.endpoint.at(row);
      if (table.encodedBodySize.at(row) < (limits[number] as number) || !evaluator.isOversized(row)) continue;
      counts[number] = (counts[number] ?? 0) + 1;
    }
    this.#seen = { session, revision, settings };
    this.#counts = counts;
    return counts;
  }
}
