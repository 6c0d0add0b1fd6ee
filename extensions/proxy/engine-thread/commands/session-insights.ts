import { setTimeout as pause } from "node:timers/promises";
import { redactedFinding, redactedWhere } from "../../../../src/engine/interchange/finding-redaction.ts";
import { findingMarkdown, reportMarkdown } from "../../../../src/engine/interchange/report-text.ts";
import type { MarkedChangeRecord } from "../../../../src/engine/messages/compare-messages.ts";
import type { ExchangeComparison, SetDifference } from "../../../../src/engine/messages/difference-messages.ts";
import type { WhereFound } from "../../../../src/engine/messages/finding-messages.ts";
import { evictOldest } from "../../../../src/engine/model/evict-oldest.ts";
import type { GainsFound } from "../../../../src/engine/model/load-gain.ts";
import { type Problem, unwrap } from "../../../../src/engine/model/result.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import { Cached } from "../../../../src/engine/session/evaluation/cached.ts";
import { chainsFoundOf } from "../../../../src/engine/session/evaluation/chain-records.ts";
import { FoundFindings, NOTHING_FOUND } from "../../../../src/engine/session/evaluation/found-findings.ts";
import { type ChangedTime, NO_GAINS } from "../../../../src/engine/session/evaluation/gain-records.ts";
import { groupsFoundOf } from "../../../../src/engine/session/evaluation/grouping.ts";
import {
  type BodiesFound,
  type ChainsFound,
  type GroupsFound,
  type Insights,
  NO_CHAINS,
  NO_GROUPS,
  NO_RANKED,
  NO_REPEATS,
  NO_SLOW_CAUSES,
  type RankedFound,
  type RepeatsFound,
  type SlowCausesFound,
} from "../../../../src/engine/session/evaluation/insights.ts";
import { slowCausesIn } from "../../../../src/engine/session/evaluation/slow-cause-search.ts";
import { NO_WHERE } from "../../../../src/engine/session/evaluation/where-record.ts";
import type { Baseline } from "../../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { ChosenIds, Grouping, Part, Question, Reply, Work } from "../../analysis-thread/analysis-messages.ts";
import type { ComparedIds } from "../../analysis-thread/exchange-comparison.ts";
import { Activity, ThrottledJob } from "../../process/timeslicer.ts";
import type { SessionReader } from "../../storage/session-reader.ts";
import { AnalysisThread, type Running } from "../analysis-thread.ts";
import { FilterBodies } from "./filter-bodies.ts";

/** How long a search is repeated after the last query, while its result lacks the latest exchanges. */
const PATIENCE: Milliseconds = 5_000;

/** Parts that are answered once, to a command. */
type Single = "comparison" | "difference";

type Search = Exclude<Part, "gains" | Single>;

/** After this time, exchanges that had just ended are read, too (`LATENESS` in linked-session.ts, and a flush). */
const SETTLES_WITHIN: Milliseconds = 400;

const NOT_ANSWERED = "The analysis failed and is started again. Try again in a few seconds.";

const PARTS: readonly Search[] = ["where", "chains", "groups", "repeats", "slowCauses", "marked", "ranked"];

const MOST_CHANGES = 16;

const NOTHING_RANKED: RankedFound = Object.freeze({ progress: 1, leftOut: 0, found: NOTHING_FOUND });

/** The gains by one change: the last result, and the state of the session for which it was calculated. */
interface KnownGains {
  readonly search: ThrottledJob;
  result: GainsFound | null;
  state: string | null;
}

export interface SessionInsightsOptions {
  readonly session: Session;
  /** The reader of the session's log, after all events so far were written; `null` if nothing was captured. */
  readonly reader: () => SessionReader | null;
  /** Whether the session was cut off, so that its unfinished exchanges have ended. */
  readonly wasCutOff: boolean;
  readonly chainGap: () => Milliseconds;
  /** All events before this instant have arrived; infinite for a stored session. */
  readonly until: () => Instant;
  /** A number that changes while traffic is captured. Searches pause more while it changes. */
  readonly captured: () => number;
  /** The sessions to compare with, for finding what became slower. */
  readonly baseline: () => Baseline;
  /** As in `AnalysisThread`. */
  readonly onTrouble: (trouble: string | null) => void;
  readonly spawn?: ConstructorParameters<typeof AnalysisThread>[0]["spawn"];
}

type RankedSource = NonNullable<Extract<Work, { readonly kind: "export" }>["ranked"]>;

/**
 * The latest results about one session from its analysis thread: where its time went, its chains, parallel groups,
 * repeats and causes of slowness. A query for a result that is out of date asks the thread.
 */
export class SessionInsights implements Insights {
  readonly #options: SessionInsightsOptions;
  readonly #thread: AnalysisThread;
  readonly #searches: Readonly<Record<Search, ThrottledJob>>;
  readonly #traffic: Activity;
  #version = 0;
  /** By part, the last state of the session that was searched completely. */
  readonly #known = new Map<Part, string>();
  /** The parts with a result for the whole session. Partial results never replace it. */
  readonly #complete = new Set<Part>();
  /** By part, when a view last queried it. */
  readonly #requestedAt = new Map<Part, number>();
  readonly #grouping = new Cached<Grouping>();
  #where: WhereFound | null = null;
  #chains: ChainsFound;
  #groups: GroupsFound = NO_GROUPS;
  #repeats: RepeatsFound = NO_REPEATS;
  #slowCauses: SlowCausesFound = NO_SLOW_CAUSES;
  #marked: readonly MarkedChangeRecord[] | null = null;
  #ranked: RankedFound = NO_RANKED;
  #rankedSource: RankedSource | null = null;
  readonly #bodies: FilterBodies;
  /** By change, the latest at the end. */
  readonly #gains = new Map<string, KnownGains>();

  constructor(options: SessionInsightsOptions) {
    this.#options = options;
    this.#traffic = new Activity(options.captured);
    const jobs = PARTS.map((part) => [part, new ThrottledJob(() => this.#search(part), this.#traffic)]);
    this.#bodies = new FilterBodies({
      begin: (number, work, running) => this.beginWork(number, work, running),
      cancel: (number) => this.tell({ cancelled: number }),
      state: () => options.session.revision,
      isEmpty: () => options.session.table.nextRow === 0,
      onFound: () => {
        this.#version += 1;
      },
    });
    this.#searches = Object.fromEntries(jobs) as Record<Search, ThrottledJob>;
    this.#chains = { ...NO_CHAINS, chainGap: options.chainGap() };
    this.#thread = new AnalysisThread({
      start: () => ({
        folder: options.reader()?.folder ?? "",
        wasCutOff: options.wasCutOff,
        endedAt: options.session.endedAt,
      }),
      onTrouble: (trouble) => {
        // Views that still wait query again, which starts the thread again.
        this.#version += 1;
        options.onTrouble(trouble);
      },
      ...(options.spawn === undefined ? {} : { spawn: options.spawn }),
    });
  }

  get version(): number {
    return this.#version;
  }

  where(): WhereFound | null {
    if (this.#options.session.table.nextRow === 0) return NO_WHERE;
    this.#ask("where");
    return this.#where;
  }

  chains(): ChainsFound {
    this.#ask("chains");
    return this.#chains;
  }

  groups(): GroupsFound {
    this.#ask("groups");
    return this.#groups;
  }

  repeats(): RepeatsFound {
    this.#ask("repeats");
    return this.#repeats;
  }

  slowCauses(): SlowCausesFound {
    this.#ask("slowCauses");
    return this.#slowCauses;
  }

  marked(): readonly MarkedChangeRecord[] | null {
    if (this.#options.session.changeMarks.length === 0) return [];
    this.#ask("marked");
    return this.#marked;
  }

  ranked(): RankedFound {
    if (this.#options.session.table.nextRow === 0) return NOTHING_RANKED;
    this.#ask("ranked");
    return this.#ranked;
  }

  /** Begins an export or a search: as `AnalysisThread.beginWork`. */
  beginWork(number: number, work: Work, running: Running): Promise<Problem | null> {
    const { session, reader } = this.#options;
    if (reader() === null) return Promise.resolve("Nothing has been captured yet.");
    const order = { number, work, rowCap: session.table.cap, grouping: this.#currentGrouping() };
    return this.#thread.beginWork(order, running);
  }

  /** As `AnalysisThread.tell`. */
  tell(message: Parameters<AnalysisThread["tell"]>[0]): void {
    this.#thread.tell(message);
  }

  bodies(text: string): BodiesFound {
    return this.#bodies.found(text);
  }

  /** The findings for an export with this filter; `null` if it names none, or before the first. */
  rankedFor(filter: string): RankedSource | null {
    return filter.includes("finding:") ? this.#rankedSource : null;
  }

  gains(changed: ChangedTime): GainsFound | null {
    if (this.#options.session.table.nextRow === 0) return NO_GAINS;
    const key = JSON.stringify(changed);
    const search = new ThrottledJob(() => this.#searchGains(changed), this.#traffic);
    const known = this.#gains.get(key) ?? { search, result: null, state: null };
    this.#gains.delete(key);
    this.#gains.set(key, known);
    evictOldest(this.#gains, MOST_CHANGES);
    this.#thread.use();
    if (known.state !== this.#state) known.search.schedule();
    return known.result;
  }

  async #searchGains(changed: ChangedTime): Promise<void> {
    const known = this.#gains.get(JSON.stringify(changed));
    const question = this.#questionAbout("gains");
    if (known === undefined || question === null) return;
    const state = this.#state;
    const reply = await this.#thread.ask({ ...question, wantsPartial: false, changed });
    if (reply?.part !== "gains") return;
    known.result = reply.records;
    if (reply.isSettled) known.state = state;
    this.#version += 1;
  }

  /** Compares two exchanges. Throws a sentence if that is not possible. */
  async comparison(compared: ComparedIds): Promise<ExchangeComparison> {
    const reply = await this.#askOnce("comparison", { compared });
    if (reply?.part !== "comparison") throw new Error(NOT_ANSWERED);
    return unwrap(reply.records);
  }

  /** What a chosen set has that its endpoints' others lack. Throws a sentence if the analysis fails. */
  async difference(chosen: ChosenIds): Promise<SetDifference> {
    const reply = await this.#askOnce("difference", { chosen });
    if (reply?.part !== "difference") throw new Error(NOT_ANSWERED);
    return reply.records;
  }

  async #askOnce(part: Single, requested: Pick<Question, "compared" | "chosen">): Promise<Reply | null> {
    const question = this.#questionAbout(part);
    if (question === null) throw new Error("Nothing has been captured yet.");
    const reply = await this.#thread.ask({ ...question, ...requested, wantsPartial: false });
    if (reply?.isSettled !== false) return reply;
    await pause(SETTLES_WITHIN);
    return this.#thread.ask({ ...(this.#questionAbout(part) ?? question), ...requested, wantsPartial: false });
  }

  /** Ends the analysis for good. Resolves once it has closed the session's files; results stay. */
  endAnalysis(): Promise<void> {
    return this.#thread.endThread();
  }

  #ask(part: Search): void {
    this.#requestedAt.set(part, performance.now());
    this.#thread.use();
    if (this.#known.get(part) !== this.#state) this.#searches[part].schedule();
  }

  /** A text that changes whenever the results may change. */
  get #state(): string {
    const { session, chainGap } = this.#options;
    return `${session.revision} ${chainGap()} ${this.#baseline.join()}`;
  }

  /** Ids of the sessions to compare with, the newest first. */
  get #baseline(): readonly string[] {
    const { sessions } = this.#options.baseline();
    return sessions.map(({ id }) => id).reverse();
  }

  #isWaitedFor(part: Part): boolean {
    return performance.now() - (this.#requestedAt.get(part) ?? Number.NEGATIVE_INFINITY) < PATIENCE;
  }

  /** `null` if nothing was captured. */
  #questionAbout(part: Part): Question | null {
    const { session, reader, chainGap, until } = this.#options;
    if (reader() === null) return null;
    return {
      part,
      chainGap: chainGap(),
      until: until(),
      exchanges: session.exchanges,
      rowCap: session.table.cap,
      baseline: this.#baseline,
      grouping: this.#currentGrouping(),
      wantsPartial: !this.#complete.has(part),
    };
  }

  async #search(part: Search): Promise<void> {
    const state = this.#state;
    const question = this.#questionAbout(part);
    if (question === null) return;
    const { endpoints } = this.#options.session.table;
    const reply = await this.#thread.ask(question, (partial) => this.#take(partial, endpoints));
    if (reply !== null) {
      this.#complete.add(part);
      this.#take(reply, endpoints);
    }
    if (reply?.isSettled === true) this.#known.set(part, state);
    // The latest exchanges are not read yet, or the thread has failed. The search is repeated here, because without new
    // events no view would query again.
    else if (this.#state === state && this.#isWaitedFor(part)) this.#searches[part].schedule();
  }

  /** Publishes a result. `endpoints`: the table's `endpoints` when the search began. */
  #take(reply: Reply, endpoints: object): void {
    const { session } = this.#options;
    const searched = { progress: reply.progress, leftOut: reply.leftOut };
    switch (reply.part) {
      case "where":
        this.#where = reply.records;
        break;
      case "chains":
        this.#chains = chainsFoundOf(reply.records, searched);
        break;
      case "groups":
        this.#groups = groupsFoundOf(reply.records);
        break;
      case "repeats":
        this.#repeats = { ...searched, repeats: reply.records };
        break;
      case "slowCauses":
        this.#slowCauses = { ...searched, ...slowCausesIn(session, reply.records, endpoints) };
        break;
      case "marked":
        // Of half a session, a verdict may be the opposite.
        if (!reply.isFinal) return;
        this.#marked = reply.records;
        break;
      case "ranked":
        if (reply.records === null) return;
        this.#rankedSource = { records: reply.records, leftOut: reply.leftOut };
        this.#ranked = { ...searched, found: new FoundFindings(reply.records, reply.leftOut) };
        break;
      case "gains":
      case "comparison":
      case "difference":
        return; // taken where they were asked for
    }
    this.#version += 1;
  }

  /** How the session's paths are grouped: the same object until that changes. */
  #currentGrouping(): Grouping {
    const { table, templates } = this.#options.session;
    return this.#grouping.of([table.endpoints], () =>
      templates === null ? null : { rules: templates.rules, folds: templates.folds },
    );
  }
}

/**
 * One finding by its key, or all findings (`null`), as Markdown without secrets. Throws a sentence if there is none to
 * copy.
 */
export function findingsMarkdown(found: FoundFindings | null, key: string | null): string {
  if (found === null) throw new Error("Weir is still looking for findings. Try again in a moment.");
  const { report, records, endpoints } = found;
  const findings = report.findings.map(redactedFinding);
  if (key === null) {
    const where = redactedWhere(report.where);
    const whole = { ...report, where, findings, endpoints, uncounted: 0, leftOut: [], leftOutCount: 0 };
    return [...reportMarkdown(whole)].join("");
  }
  const index = records.findIndex((record) => record.key === key);
  const finding = findings[index];
  if (finding === undefined) throw new Error("This finding is not in the list any more.");
  return [...findingMarkdown(finding, index + 1)].join("").trimStart();
}
