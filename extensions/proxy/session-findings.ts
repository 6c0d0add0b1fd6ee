import type { Exchange } from "../../src/engine/model/exchange.ts";
import type { Instant, Milliseconds } from "../../src/engine/model/units.ts";
import { ChainFinder } from "../../src/engine/session/chain-finder.ts";
import { type ChainsFound, type Findings, NO_OVERLAPS, type Overlaps } from "../../src/engine/session/findings.ts";
import { overlapsOf } from "../../src/engine/session/overlap-sweep.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { Bites, Errand } from "./errand.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import { bodyKeyOf, tracesOf } from "./traces.ts";

/** Our choice: exchanges that are read at once. */
const AT_ONCE = 32;

/** Our choice: in a long search, how often what was found so far is told. */
const TOLD_EVERY: Milliseconds = 1_000;

/** Our choice: a search goes on so long after somebody last asked. */
const PATIENCE: Milliseconds = 5_000;

interface FindingsOptions {
  readonly session: Session;
  /** `null` while nothing was captured. */
  readonly reader: () => SessionReader | null;
  readonly chainGap: () => Milliseconds;
  /** Until when everything is known; infinite for a stored session. */
  readonly until: () => Instant;
}

/** Chains, parallel groups and repeats of one session, looked for in bites between other work while a view asks for them. */
export class SessionFindings implements Findings {
  readonly #options: FindingsOptions;
  readonly #chainErrand = new Errand(() => this.#findChains());
  readonly #overlapErrand = new Errand(() => this.#findOverlaps());
  #finder: ChainFinder;
  #overlaps: Overlaps = NO_OVERLAPS;
  #version = 0;
  /** The session's revisions that were looked at whole. */
  #chainRevision = -1;
  #overlapRevision = -1;
  #asked = 0;

  constructor(options: FindingsOptions) {
    this.#options = options;
    this.#finder = new ChainFinder(options.session, options.chainGap());
  }

  get version(): number {
    return this.#version;
  }

  chains(): ChainsFound {
    const { session, chainGap } = this.#options;
    if (this.#finder.chainGap !== chainGap()) {
      this.#finder = new ChainFinder(session, chainGap());
      this.#chainRevision = -1;
    }
    this.#asked = performance.now();
    if (this.#chainRevision !== session.revision) this.#chainErrand.ask();
    return this.#finder.found;
  }

  overlaps(): Overlaps {
    this.#asked = performance.now();
    if (this.#overlapRevision !== this.#options.session.revision) this.#overlapErrand.ask();
    return this.#overlaps;
  }

  get #isWaitedFor(): boolean {
    return performance.now() - this.#asked < PATIENCE;
  }

  async #findChains(): Promise<void> {
    const { session, until } = this.#options;
    const finder = this.#finder;
    const bites = new Bites();
    let told = performance.now();
    let { revision } = session;
    for (const some of finder.batches(AT_ONCE)) {
      await this.#record(finder, some);
      await bites.pause();
      if (finder !== this.#finder || !this.#isWaitedFor) return;
      if (performance.now() - told > TOLD_EVERY) {
        for (const _ of finder.settle(until())) await bites.pause();
        this.#version += 1;
        told = performance.now();
      }
      revision = session.revision;
    }
    for (const _ of finder.settle(until())) await bites.pause();
    if (finder.isSettled) this.#chainRevision = revision;
    // What ended a moment ago waits, and nobody asks again before something else happens.
    else if (session.revision === revision) this.#chainErrand.ask();
    this.#version += 1;
  }

  async #record(finder: ChainFinder, exchanges: readonly Exchange[]): Promise<void> {
    const reader = this.#options.reader();
    const traces = await Promise.all(
      exchanges.map((exchange) => {
        return reader === null || exchange.outcome === null ? undefined : tracesOf(reader, exchange);
      }),
    );
    exchanges.forEach((exchange, index) => {
      finder.record(exchange, traces[index]);
    });
  }

  async #findOverlaps(): Promise<void> {
    const { session, reader } = this.#options;
    const { revision } = session;
    const stored = reader();
    const bites = new Bites();
    const steps = overlapsOf(session, (exchange) => (stored === null ? null : bodyKeyOf(stored, exchange)));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        this.#overlaps = step.value;
        break;
      }
      await bites.pause();
      if (!this.#isWaitedFor) return;
    }
    this.#overlapRevision = revision;
    this.#version += 1;
  }
}
