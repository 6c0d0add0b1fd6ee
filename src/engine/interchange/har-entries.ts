import type { CaptureEvent, PageDescribed } from "../capture/event.ts";
import type { LeftOut } from "../messages/session-messages.ts";
import type { Annotation } from "../model/annotation.ts";
import type { Problem } from "../model/result.ts";
import type { ExchangeId } from "../model/units.ts";
import type { Attached } from "./har-bodies.ts";
import { eventsOfEntry, HarConnections } from "./har-import.ts";
import { HarRuns, pageDescribedIn } from "./har-pages.ts";
import { type HarItem, HarReader } from "./har-reader.ts";

/** The most left-out entries that are reported with their reasons. Further ones are only counted. */
const MOST_TOLD = 100;

/** The most characters of a file whose entries are held; a longer file is read by the names of its runs alone. */
const MOST_HELD = 64 * 1024 * 1024;

/** The most pages that are kept; requests of further ones keep the page's name. */
const MOST_PAGES = 10_000;

/** An entry of a HAR file as an exchange. `id`: the entry's index in `log.entries`, from 1. */
export interface HarExchange {
  readonly id: ExchangeId;
  readonly events: readonly CaptureEvent[];
  readonly annotation: Annotation;
}

/** Parses a HAR file in pieces into exchanges and left-out entries. */
export class HarEntries {
  readonly #attached: Attached;
  readonly #mostHeld: number;
  readonly #runs = new HarRuns();
  readonly #reader = new HarReader((page) => this.#addPage(page));
  readonly #pages = new Map<string, PageDescribed>();
  readonly #connections = new HarConnections();
  readonly #leftOut: LeftOut[] = [];
  #leftOutCount = 0;
  /** Entries whose run is not known yet, and the characters of the pieces in which they were. */
  #held: HarItem[] = [];
  #heldLength = 0;

  /**
   * `attached`: reads bodies in files of their own; `mostHeld`: the most characters of pieces whose entries are held.
   */
  constructor(attached: Attached = () => null, mostHeld = MOST_HELD) {
    this.#attached = attached;
    this.#mostHeld = mostHeld;
  }

  /** Why the file is refused, as a sentence; `null` if it is not refused so far. */
  get problem(): Problem | null {
    return this.#reader.problem;
  }

  /** The pages of the file so far, at most 10,000. */
  get pages(): readonly PageDescribed[] {
    return [...this.#pages.values()];
  }

  /** The first 100 entries that were left out, with their reasons. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  get leftOutCount(): number {
    return this.#leftOutCount;
  }

  /**
   * Parses a piece of the file. Yields the exchanges of the entries that the piece completes, and `null` for each entry
   * that is left out, and while runs are looked for, so that the caller can pause. Entries whose run is not known yet
   * are held, and come with a later piece or with `rest`.
   */
  *push(text: string): Generator<HarExchange | null> {
    const items = this.#reader.push(text);
    if (this.#held.length === 0 && !items.some((item) => item.ok && this.#runs.isOpen(item.value))) {
      yield* this.#exchangesOf(items);
      return;
    }
    for (const item of items) this.#held.push(item);
    this.#heldLength += text.length;
    if (this.#heldLength > this.#mostHeld) yield* this.rest();
  }

  /** The exchanges of the held entries. To be called at the end of the file. */
  *rest(): Generator<HarExchange | null> {
    const held = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    yield* this.#runs.decide(held.flatMap((item) => (item.ok ? [item.value] : [])));
    yield* this.#exchangesOf(held);
  }

  /** Ends the file. Returns why the file is refused, as a sentence; `null` if it is accepted. */
  finish(): Problem | null {
    return this.#reader.end();
  }

  *#exchangesOf(items: readonly HarItem[]): Generator<HarExchange | null> {
    for (const item of items) {
      const id = item.entry as ExchangeId;
      const run = item.ok ? this.#runs.runOf(item.value) : null;
      const imported = item.ok ? eventsOfEntry(item.value, id, this.#connections, run, this.#attached) : item;
      if (item.ok && imported.ok) yield { id, ...imported.value };
      else if (!imported.ok) yield this.#leaveOut({ entry: item.entry, reason: imported.problem });
    }
  }

  #addPage(page: object): void {
    this.#runs.addPage(page);
    const described = pageDescribedIn(page);
    if (described !== null && this.#pages.size < MOST_PAGES) this.#pages.set(described.page, described);
  }

  #leaveOut(leftOut: LeftOut): null {
    this.#leftOutCount += 1;
    if (this.#leftOut.length < MOST_TOLD) this.#leftOut.push(leftOut);
    return null;
  }
}
