import type { LinkedTraffic } from "../../../src/engine/insights/linked-traffic.ts";
import { findingSearchOf } from "../../../src/engine/report/linked-facts.ts";
import { type RankedRecords, rankedRecordsOf } from "../../../src/engine/session/evaluation/found-findings.ts";
import { baselineLatenciesOf, type OpensSession } from "../export/baseline-latencies.ts";

/** Ranks the causes of lost time and bytes of one session. Reads the sessions to compare with once. */
export class RankedSearch {
  readonly #name: string;
  readonly #open: OpensSession;
  #baseline: { readonly sessions: string; readonly latencies: Awaited<ReturnType<typeof baselineLatenciesOf>> } | null =
    null;

  /** `name`: the session's id, which the copied report names. */
  constructor(name: string, open: OpensSession) {
    this.#name = name;
    this.#open = open;
  }

  /** `sessions`: the ids of those to compare with, the newest first. `between`: called between two parts of the search. */
  async find(known: LinkedTraffic, sessions: readonly string[], between: () => Promise<void>): Promise<RankedRecords> {
    if (this.#baseline?.sessions !== sessions.join()) {
      const latencies = await baselineLatenciesOf(this.#open, sessions, between);
      this.#baseline = { sessions: sessions.join(), latencies };
    }
    const search = findingSearchOf(known, { source: this.#name, baseline: this.#baseline.latencies });
    while (search.findNext()) await between();
    return rankedRecordsOf(search.report(), known.facts);
  }
}
