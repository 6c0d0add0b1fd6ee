import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import { coveredFindingsOf } from "../../../src/engine/insights/findings/index.ts";
import { criticalPathsOf } from "../../../src/engine/insights/links/critical-paths.ts";
import type { FoundLinks } from "../../../src/engine/insights/links/link-finder.ts";
import { redactedFinding, redactedWhere } from "../../../src/engine/interchange/finding-redaction.ts";
import { findingMarkdown, reportMarkdown } from "../../../src/engine/interchange/report-text.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { type FoundFindings, foundFindingsOf } from "../../../src/engine/session/evaluation/found-findings.ts";
import type { Baseline } from "../../../src/engine/session/lists/history.ts";
import { numberedFinding, numberedWhere } from "../../../src/engine/session/lists/row-numbers.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { baselineLatenciesOf, type OpensSession } from "../export/baseline-latencies.ts";
import { paused } from "../process/timeslicer.ts";

export interface RankedOptions {
  /** The sessions to compare with, for finding what became slower. */
  readonly baseline: () => Baseline;
  readonly open: OpensSession;
  /** The session's id, which the copied report names. */
  readonly name: () => string;
  readonly session: Pick<Session, "loadedAt">;
}

type Pause = () => Promise<unknown>;
type Latencies = Awaited<ReturnType<typeof baselineLatenciesOf>>;

/** Ranks the causes of lost time and bytes of one session. Reads each session of the baseline once. */
export class RankedSearch {
  readonly #options: RankedOptions;
  #baseline: { readonly sessions: string; readonly latencies: Latencies } | null = null;

  constructor(options: RankedOptions) {
    this.#options = options;
  }

  /** A text that changes whenever the sessions of the baseline change. */
  get state(): string {
    return this.#sessions.join();
  }

  /** Ranks the findings. `leftOut`: how many exchanges were not examined. */
  async find(
    facts: readonly ExchangeFacts[],
    linked: FoundLinks,
    leftOut: number,
    pause: Pause,
  ): Promise<FoundFindings> {
    const baseline = await this.#latencies(pause);
    const paths = criticalPathsOf(facts, linked);
    // Includes refuted links: two requests ran one after another, but elsewhere requests to their two endpoints ran in
    // parallel. So neither request needs the other's response.
    const loadedAt = (id: ExchangeId) => this.#options.session.loadedAt(id);
    const options = { source: this.#options.name(), baseline, paths, loadedAt };
    const covered = await paused(coveredFindingsOf(facts, [...linked.links, ...linked.refuted], options), pause);
    return foundFindingsOf(covered, facts, leftOut);
  }

  /** Ids of the baseline's sessions, the newest first. */
  get #sessions(): readonly string[] {
    const { sessions } = this.#options.baseline();
    return sessions.map(({ id }) => id).reverse();
  }

  async #latencies(pause: Pause): Promise<Latencies> {
    const sessions = this.#sessions;
    if (this.#baseline?.sessions !== sessions.join()) {
      const latencies = await baselineLatenciesOf(this.#options.open, sessions, pause);
      this.#baseline = { sessions: sessions.join(), latencies };
    }
    return this.#baseline.latencies;
  }
}

/**
 * One finding by its key, or all findings (`null`), as Markdown without secrets. Throws a sentence if there is none to
 * copy.
 */
export function findingsMarkdown(found: FoundFindings | null, { table }: Session, key: string | null): string {
  if (found === null) throw new Error("Weir is still looking for findings. Try again in a moment.");
  const { report, records, endpoints } = found;
  const findings = report.findings.map((finding) => numberedFinding(redactedFinding(finding), table));
  if (key === null) {
    const where = numberedWhere(redactedWhere(report.where), table);
    const whole = { ...report, where, findings, endpoints, uncounted: 0, leftOut: [], leftOutCount: 0 };
    return [...reportMarkdown(whole)].join("");
  }
  const index = records.findIndex((record) => record.key === key);
  const finding = findings[index];
  if (finding === undefined) throw new Error("This finding is not in the list any more.");
  return [...findingMarkdown(finding, index + 1)].join("").trimStart();
}
