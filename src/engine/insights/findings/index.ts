import type { Finding, FindingKind } from "../../model/finding.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { NO_PATHS } from "../links/critical-paths.ts";
import type { UnitGains } from "../what-if/unit-gains.ts";
import { loadsOf } from "../where/page-loads.ts";
import { sourceLimitsOf } from "../where/source-limits.ts";
import { type WhereOptions, whereOf } from "../where/where.ts";
import type { Detector, FindingOptions } from "./draft.ts";
import type { CoveredReport, Draft, Report } from "./finding-report.ts";
import { passesGate } from "./gate.ts";
import { clientTime } from "./kinds/client-time.ts";
import { connectionQueueing } from "./kinds/connection-queueing.ts";
import { corsPreflights } from "./kinds/cors-preflights.ts";
import { duplicateRequests } from "./kinds/duplicate-requests.ts";
import { errors } from "./kinds/errors.ts";
import { largeRequests } from "./kinds/large-requests.ts";
import { largeResponses } from "./kinds/large-responses.ts";
import { nPlusOne } from "./kinds/n-plus-one.ts";
import { newConnections } from "./kinds/new-connections.ts";
import { oneAtATime } from "./kinds/one-at-a-time.ts";
import { polling } from "./kinds/polling.ts";
import { proxyOverhead } from "./kinds/proxy-overhead.ts";
import { rateLimited } from "./kinds/rate-limited.ts";
import { redirects } from "./kinds/redirects.ts";
import { regression } from "./kinds/regression.ts";
import { repeatedPrerequisite } from "./kinds/repeated-prerequisite.ts";
import { retries } from "./kinds/retries.ts";
import { sequentialRequests } from "./kinds/sequential-requests.ts";
import { serverPauses } from "./kinds/server-pauses.ts";
import { slowConnectionSetup } from "./kinds/slow-connection-setup.ts";
import { slowServer } from "./kinds/slow-server.ts";
import { slowStreams } from "./kinds/slow-streams.ts";
import { slowTransfer } from "./kinds/slow-transfer.ts";
import { slowWhen } from "./kinds/slow-when.ts";
import { unchangedRefetches } from "./kinds/unchanged-refetches.ts";
import { uncompressedResponses } from "./kinds/uncompressed-responses.ts";
import type { Link } from "./link-index.ts";
import { ranked } from "./ranking.ts";
import { joinedOverRuns, type Runs, runsOf } from "./runs.ts";
import { type Traffic, trafficOf, withLinks } from "./traffic.ts";

/**
 * The detector of each kind, in the order in which they run. Narrower kinds come first, since some wider kinds skip the
 * exchanges that narrower kinds cover.
 */
const DETECTORS: Readonly<Record<FindingKind, Detector>> = {
  "rate-limited": rateLimited,
  retries,
  errors,
  "cors-preflights": corsPreflights,
  redirects,
  "repeated-prerequisite": repeatedPrerequisite,
  "n-plus-one": nPlusOne,
  polling,
  "duplicate-requests": duplicateRequests,
  "unchanged-refetches": unchangedRefetches,
  "uncompressed-responses": uncompressedResponses,
  "large-responses": largeResponses,
  "large-requests": largeRequests,
  "server-pauses": serverPauses,
  "slow-connection-setup": slowConnectionSetup,
  "new-connections": newConnections,
  "connection-queueing": connectionQueueing,
  "sequential-requests": sequentialRequests,
  "client-time": clientTime,
  "slow-streams": slowStreams,
  "one-at-a-time": oneAtATime,
  "slow-when": slowWhen,
  "slow-transfer": slowTransfer,
  "slow-server": slowServer,
  regression,
  "proxy-overhead": proxyOverhead,
};

/**
 * By default, no load of a page has a path, the source names no load event, and there are no units. `traffic` and
 * `loads`: of the same facts, where they are known, the traffic with any links.
 */
export type ReportOptions = FindingOptions & Partial<WhereOptions> & { readonly traffic?: Traffic };

/**
 * Searches for findings about ended exchanges, one kind after another, so that a caller can answer others in between.
 */
export class FindingSearch {
  readonly #facts: readonly ExchangeFacts[];
  readonly #options: ReportOptions;
  readonly #traffic: Traffic;
  readonly #runs: Runs | null;
  readonly #waiting = Object.values(DETECTORS);
  readonly #found: Draft[] = [];
  /** How many drafts each detector found done, in the order in which they ran. */
  readonly #foundBefore: number[] = [];

  /** `facts`: in any order. */
  constructor(facts: Iterable<ExchangeFacts>, links: Iterable<Link>, options: ReportOptions) {
    this.#facts = [...facts];
    this.#options = options;
    const { traffic } = options;
    this.#traffic = traffic === undefined ? trafficOf(this.#facts, links) : withLinks(traffic, links);
    this.#runs = runsOf(this.#traffic);
  }

  /** Finds the next kind. Returns `false` after the last one. */
  findNext(): boolean {
    const [traffic, found] = [this.#traffic, this.#found];
    const detector = this.#waiting.shift();
    if (detector === undefined) return false;
    this.#foundBefore.push(found.length);
    found.push(...this.#draftsOf(detector, traffic, found).filter((draft) => passesGate(draft, traffic.gate)));
    return true;
  }

  /** Finds all kinds that are left. */
  findAll(): CoveredReport {
    while (this.findNext());
    return this.report();
  }

  /**
   * Once all kinds are found, the findings that the session holds without the gate, among them those too small to list.
   */
  ungated(): readonly Finding[] {
    const traffic = { ...this.#traffic, gate: { waiting: 0, bytes: 0 } };
    const found = Object.values(DETECTORS).flatMap((detector, index) =>
      this.#draftsOf(detector, traffic, this.#found.slice(0, this.#foundBefore[index])),
    );
    return found.map(findingOf);
  }

  #draftsOf(detector: Detector, traffic: Traffic, found: readonly Draft[]): readonly Draft[] {
    return joinedOverRuns(detector({ traffic, found, options: this.#options }), this.#runs, traffic);
  }

  /** The report, the costliest finding first, once all kinds are found. */
  report(): CoveredReport {
    const { paths = NO_PATHS, limits = sourceLimitsOf(this.#facts) } = this.#options;
    const { loads = loadsOf(this.#traffic, paths, () => null) } = this.#options;
    const { units = null, source } = this.#options;
    const { requests, byClient, duration, totals } = this.#traffic;
    const drafts = ranked(this.#found.map((draft) => withLoadGain(draft, units)));
    const report: Report = {
      schema: 1,
      source,
      exchanges: requests.length,
      clients: byClient.size,
      duration,
      waiting: totals.waiting,
      where: whereOf(this.#traffic, { paths, limits, loads, units }),
      findings: drafts.map(findingOf),
    };
    return { report, covers: drafts.map(({ covers }) => covers) };
  }
}

/** The kinds whose time is the client's own, which no shorter request saves. */
const OWN_TIME: ReadonlySet<FindingKind> = new Set(["client-time"]);

function withLoadGain(draft: Draft, units: UnitGains | null): Draft {
  const loadGain = OWN_TIME.has(draft.kind) ? null : (units?.gainsWithout(draft.covers) ?? null);
  return loadGain === null ? draft : { ...draft, loadGain, onPath: loadGain.onPath / loadGain.units };
}

function findingOf({ covers: _, ...finding }: Draft): Finding {
  return Object.freeze(finding);
}
