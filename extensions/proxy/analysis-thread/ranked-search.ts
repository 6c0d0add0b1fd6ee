import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import type { Traffic } from "../../../src/engine/insights/findings/traffic.ts";
import type { CriticalPaths } from "../../../src/engine/insights/links/critical-paths.ts";
import type { FoundLinks } from "../../../src/engine/insights/links/link-finder.ts";
import type { UnitGains } from "../../../src/engine/insights/what-if/gains.ts";
import type { Load } from "../../../src/engine/insights/where/page-loads.ts";
import { findingSearchOf } from "../../../src/engine/report/linked-facts.ts";
import { type RankedRecords, rankedRecordsOf } from "../../../src/engine/session/evaluation/found-findings.ts";
import { baselineLatenciesOf, type OpensSession } from "../export/baseline-latencies.ts";

interface RankedOptions {
  /** The ids of the sessions to compare with, the newest first. */
  readonly baseline: readonly string[];
  /** The traffic, the critical paths and the page loads of the same facts. */
  readonly traffic: Traffic;
  readonly paths: CriticalPaths;
  readonly loads: readonly Load[];
  readonly units: UnitGains;
  /** Called between two parts of the search. */
  readonly between: () => Promise<void>;
}

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

  async find(
    facts: readonly ExchangeFacts[],
    linked: FoundLinks,
    { baseline: sessions, between, ...known }: RankedOptions,
  ): Promise<RankedRecords> {
    if (this.#baseline?.sessions !== sessions.join()) {
      const latencies = await baselineLatenciesOf(this.#open, sessions, between);
      this.#baseline = { sessions: sessions.join(), latencies };
    }
    const options = { source: this.#name, baseline: this.#baseline.latencies, ...known };
    const search = findingSearchOf({ facts, ...linked }, options);
    while (search.findNext()) await between();
    return rankedRecordsOf(search.report(), facts);
  }
}
