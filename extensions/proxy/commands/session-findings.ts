import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import { repeatsOf } from "../../../src/engine/insights/findings/repeats.ts";
import { trafficOf } from "../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../src/engine/insights/links/critical-paths.ts";
import type { FoundLinks } from "../../../src/engine/insights/links/link-finder.ts";
import { walksOf } from "../../../src/engine/insights/links/walks.ts";
import type { WhereFound } from "../../../src/engine/messages/ranked-findings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import {
  type ChainsFound,
  type Findings,
  type GroupsFound,
  NO_CHAINS,
  NO_GROUPS,
  NO_RANKED,
  NO_REPEATS,
  NO_SLOW_CAUSES,
  type RankedFound,
  type RepeatsFound,
  type Searched,
  type SlowCausesFound,
} from "../../../src/engine/session/evaluation/findings.ts";
import { NOTHING_FOUND } from "../../../src/engine/session/evaluation/found-findings.ts";
import { groupsOf } from "../../../src/engine/session/evaluation/group-search.ts";
import { slowCausesOf } from "../../../src/engine/session/evaluation/slow-cause-search.ts";
import { NO_WHERE, whereFoundOf } from "../../../src/engine/session/evaluation/where-record.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { LinkedSession } from "../export/linked-session.ts";
import { Activity, paused, ThrottledJob, Timeslicer } from "../process/timeslicer.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { type RankedOptions, RankedSearch } from "./ranked-search.ts";

/**
 * After this time, a first search publishes its first results. It publishes rarely,
 * because each time it computes all results again.
 */
const FIRST_RESULTS_AFTER: Milliseconds = 1_000;
/**
 * A search that published results t ms after its start publishes again at this
 * multiple of t.
 */
const LATER_RESULTS_FACTOR = 4;

/** How long a search continues after the last query. */
const PATIENCE: Milliseconds = 5_000;

/**
 * The interval at which a long search reports a change. Views that still wait then
 * query again, so that the search continues.
 */
const NOTIFY_EVERY: Milliseconds = 1_000;

/** How long facts stay in memory after the last query. */
const KEPT: Milliseconds = 300_000;

/**
 * The shortest time between two full readings. A full reading also links exchanges
 * that ended late.
 */
const READ_AGAIN_AFTER: Milliseconds = 60_000;

const NOTHING_RANKED: RankedFound = Object.freeze({ progress: 1, leftOut: 0, found: NOTHING_FOUND });

/**
 * The cool-down of the search for where the time went, as a multiple of its last run's time: its result is at most 2 s
 * old (docs/specification.md).
 */
const WHERE_COOL_DOWN = 0.5;

/** A result that is derived from facts and links, once a view queries it. */
type Part = "where" | "chains" | "repeats" | "slowCauses" | "ranked";

/** What a search concludes from. `isSettled`: as in `LinkedSession`, at the time of reading. */
interface Material {
  readonly linked: LinkedSession;
  readonly facts: readonly ExchangeFacts[];
  readonly links: FoundLinks;
  readonly isSettled: boolean;
}

interface FindingsOptions extends RankedOptions {
  readonly session: Session;
  /** `null` if nothing was captured. */
  readonly reader: () => SessionReader | null;
  readonly chainGap: () => Milliseconds;
  /** All events before this instant have arrived; infinite for a stored session. */
  readonly until: () => Instant;
  /** A number that changes while traffic is captured. Searches pause more while it changes. */
  readonly captured: () => number;
}

/**
 * Where the time of one session went, its chains, parallel groups, repeats and causes of slowness. Searches for them in
 * time slices while a view queries them, one at a time; only that for where the time went runs beside another. One
 * search at a time reads the session, and all searches share the exchanges read.
 */
export class SessionFindings implements Findings {
  readonly #options: FindingsOptions;
  readonly #traffic: Activity;
  readonly #searches: Readonly<Record<Part | "groups", ThrottledJob>>;
  /** The search that is running, or the last one. */
  #running: Promise<void> = Promise.resolve();
  #linked: LinkedSession | null = null;
  /** The last reading that reached the session's end; it still grows while the session is read again. */
  #whole: LinkedSession | null = null;
  #links: { readonly linked: LinkedSession; readonly read: number; readonly links: FoundLinks } | null = null;
  #readSince = 0;
  #forgetting: NodeJS.Timeout | null = null;
  #chains: ChainsFound;
  #repeats = NO_REPEATS;
  #slowCauses = NO_SLOW_CAUSES;
  #ranked = NO_RANKED;
  #where: WhereFound | null = null;
  readonly #ranking: RankedSearch;
  /** The state from which the present ranking was made. */
  #rankedFrom: { readonly linked: LinkedSession; readonly read: number; readonly baseline: string } | null = null;
  #groups = NO_GROUPS;
  #version = 0;
  /** By part, the last state of the session that was searched completely. */
  readonly #known = new Map<Part | "groups", string>();
  /** The parts with a result for the whole session. Partial results never replace it. */
  readonly #complete = new Set<Part>();
  /** By part, when a view last queried it. */
  readonly #asked = new Map<Part | "groups", number>();

  constructor(options: FindingsOptions) {
    this.#options = options;
    this.#traffic = new Activity(options.captured);
    const jobOf = (part: Part) => new ThrottledJob(() => this.#inTurn(part), this.#traffic);
    this.#searches = {
      where: new ThrottledJob(() => this.#search("where"), this.#traffic, WHERE_COOL_DOWN),
      chains: jobOf("chains"),
      repeats: jobOf("repeats"),
      slowCauses: jobOf("slowCauses"),
      ranked: jobOf("ranked"),
      groups: new ThrottledJob(() => this.#findGroups(), this.#traffic),
    };
    this.#chains = { ...NO_CHAINS, chainGap: options.chainGap() };
    this.#ranking = new RankedSearch(options);
  }

  get version(): number {
    return this.#version;
  }

  chains(): ChainsFound {
    this.#ask("chains");
    return this.#chains;
  }

  repeats(): RepeatsFound {
    this.#ask("repeats");
    return this.#repeats;
  }

  slowCauses(): SlowCausesFound {
    this.#ask("slowCauses");
    return this.#slowCauses;
  }

  ranked(): RankedFound {
    if (this.#options.session.table.nextRow === 0) return NOTHING_RANKED;
    this.#ask("ranked");
    return this.#ranked;
  }

  where(): WhereFound | null {
    if (this.#options.session.table.nextRow === 0) return NO_WHERE;
    this.#ask("where");
    return this.#where;
  }

  groups(): GroupsFound {
    this.#ask("groups");
    return this.#groups;
  }

  #ask(part: Part | "groups"): void {
    this.#asked.set(part, performance.now());
    if (this.#known.get(part) !== this.#state) this.#searches[part].schedule();
  }

  /** A text that changes whenever the results may change. */
  get #state(): string {
    const { session, chainGap } = this.#options;
    return `${session.revision} ${chainGap()} ${this.#ranking.state}`;
  }

  #isWaitedFor(part: Part | "groups"): boolean {
    return performance.now() - (this.#asked.get(part) ?? Number.NEGATIVE_INFINITY) < PATIENCE;
  }

  #inTurn(part: Part): Promise<void> {
    const search = this.#running.then(() => this.#search(part));
    this.#running = search.catch(() => {});
    return search;
  }

  async #search(part: Part): Promise<void> {
    const state = this.#state;
    const linked = this.#current(part);
    if (linked === null) return;
    const slicer = new Timeslicer(undefined, this.#traffic);
    let notifiedAt = performance.now();
    const pause = async () => {
      await slicer.pause();
      if (linked.isEvicted || !this.#isWaitedFor(part)) throw new Abandoned();
      if (performance.now() - notifiedAt < NOTIFY_EVERY) return;
      notifiedAt = performance.now();
      this.#version += 1;
    };
    let isSettled: boolean;
    try {
      const material = await linked.inTurn(() => this.#read(part, linked, pause));
      if (linked === this.#linked) this.#whole = linked;
      await this.#conclude(part, material, 1, pause);
      this.#complete.add(part);
      isSettled = material.isSettled;
    } catch (error) {
      if (error instanceof Abandoned) return;
      throw error;
    }
    if (isSettled) this.#known.set(part, state);
    // The latest exchanges are not read yet. The search is repeated here, because without new events no view would
    // query again.
    else if (this.#state === state && this.#isWaitedFor(part)) this.#searches[part].schedule();
  }

  /** Reads the session. A first search publishes what it has found so far. */
  async #read(part: Part, linked: LinkedSession, pause: () => Promise<void>): Promise<Material> {
    const began = performance.now();
    let publishAt = began + FIRST_RESULTS_AFTER;
    for await (const _ of linked.read()) {
      await pause();
      if (this.#complete.has(part) || performance.now() < publishAt) continue;
      await this.#conclude(part, await this.#materialOf(linked, pause), linked.progress, pause);
      publishAt = began + LATER_RESULTS_FACTOR * (performance.now() - began);
    }
    return this.#materialOf(linked, pause);
  }

  async #materialOf(linked: LinkedSession, pause: () => Promise<void>): Promise<Material> {
    const links = await this.#linksOf(linked, pause);
    return { linked, facts: [...linked.facts], links, isSettled: linked.isSettled };
  }

  /**
   * The facts and links read so far. If they are out of date, drops them, so that the session is read again. `null` if
   * nothing was captured.
   */
  #current(part: Part): LinkedSession | null {
    const { session, reader, chainGap, until } = this.#options;
    const window = chainGap();
    const stored = reader();
    if (stored === null) return null;
    const whole = this.#whole;
    if (part === "where" && whole !== null && whole.window === window && !whole.isEvicted) return whole;
    const known = this.#linked;
    const isStale = known?.hasUnlinked === true && performance.now() - this.#readSince > READ_AGAIN_AFTER;
    if (known !== null && known.window === window && !known.isOutgrown && !isStale) return known;
    this.#linked = new LinkedSession({ session, reader: stored, window, until });
    this.#forgetting ??= setInterval(() => this.#forget(), KEPT / 10).unref();
    this.#readSince = performance.now();
    return this.#linked;
  }

  /**
   * Drops facts and links if no view has queried them for `KEPT`. Keeps results; the next search reads the session
   * again.
   */
  #forget(): void {
    if (performance.now() - Math.max(...this.#asked.values()) < KEPT || this.#forgetting === null) return;
    clearInterval(this.#forgetting);
    this.#forgetting = null;
    this.#linked = null;
    this.#whole = null;
    this.#links = null;
  }

  /**
   * Publishes the results of a part. `progress`: as in `Searched`, but 1 even if the latest exchanges are not read yet.
   */
  async #conclude(part: Part, material: Material, progress: number, pause: () => Promise<void>): Promise<void> {
    const { session } = this.#options;
    const { linked, facts, links } = material;
    const searched: Searched = { progress, leftOut: linked.leftOut };
    if (part === "ranked") return this.#rank(material, searched, pause);
    if (part === "where") {
      const loadedAt = (id: ExchangeId) => session.loadedAt(id);
      this.#where = await paused(whereFoundOf([...facts, ...linked.ahead], links, loadedAt), pause);
    } else if (part === "chains") {
      const { walks, places } = await paused(walksOf(facts, links), pause);
      const paths = criticalPathsOf(facts, links);
      this.#chains = { ...searched, walks, paths, chainGap: linked.window, placeOf: (id) => places.get(id) ?? null };
    } else {
      const traffic = await paused(trafficOf(facts, links.links), pause);
      if (part === "repeats") this.#repeats = { ...searched, repeats: await paused(repeatsOf(traffic), pause) };
      else this.#slowCauses = { ...searched, ...(await paused(slowCausesOf(session, traffic), pause)) };
    }
    this.#version += 1;
  }

  /**
   * Ranks again only if facts, baseline or progress changed. Messages of a WebSocket change the session, but no
   * finding.
   */
  async #rank({ linked, facts, links }: Material, searched: Searched, pause: () => Promise<void>): Promise<void> {
    const from = { linked, read: facts.length, baseline: this.#ranking.state };
    const before = this.#rankedFrom;
    const isKnown = before?.linked === linked && before.read === from.read && before.baseline === from.baseline;
    if (isKnown && this.#ranked.progress === searched.progress) return;
    const { forgotten } = this.#options.session;
    const found = await this.#ranking.find(facts, links, searched.leftOut + forgotten, pause);
    this.#ranked = { ...searched, found };
    this.#rankedFrom = from;
    this.#version += 1;
  }

  async #linksOf(linked: LinkedSession, pause: () => Promise<void>): Promise<FoundLinks> {
    const read = linked.facts.length;
    if (this.#links?.linked === linked && this.#links.read === read) return this.#links.links;
    const links = await paused(linked.links(), pause);
    this.#links = { linked, read, links };
    return links;
  }

  async #findGroups(): Promise<void> {
    const state = this.#state;
    const slicer = new Timeslicer(undefined, this.#traffic);
    const steps = groupsOf(this.#options.session);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        this.#groups = step.value;
        break;
      }
      await slicer.pause();
      if (!this.#isWaitedFor("groups")) return;
    }
    this.#known.set("groups", state);
    this.#version += 1;
  }
}

/** Thrown if no view needs these results any longer, or if rows that were already read have been evicted. */
class Abandoned extends Error {}
