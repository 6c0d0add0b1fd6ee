import type { Endpoint } from "../model/endpoint.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { ExchangeTable } from "./exchange-table.ts";
import type { Session } from "./session.ts";

/** Our choice: at most so many slices of the session, and no shorter ones. */
const SLICES = 40;
const SHORTEST: Milliseconds = 1_000;

/** What is put together of the rows of one slice. */
export interface SliceForm<Figures> {
  empty(): Figures;
  /** `row` has ended and counts. */
  add(figures: Figures, row: number, table: ExchangeTable): void;
}

export interface EndpointSlice<Figures> {
  readonly at: Instant;
  readonly figures: Figures;
}

/** A slice, and between which rows its own lie. */
interface Slice<Figures> {
  figures: Figures;
  first: number;
  last: number;
}

/**
 * What the exchanges of one endpoint that are still in the list come to, in slices of the session by when they began. Goes on
 * with what came since it was read last:
 *
 *   firstRow … added, but for those in flight, which are asked again … next … not looked at yet … nextRow
 */
export class EndpointSlices<Figures> {
  readonly #form: SliceForm<Figures>;
  #session: Session | null = null;
  #endpoint: Endpoint | null = null;
  /** Another object when endpoints were told anew. */
  #endpoints: object | null = null;
  #start = 0;
  #length: Milliseconds = SHORTEST;
  #slices: Slice<Figures>[] = [];
  #first = 0;
  #next = 0;
  /** Rows that were passed while they were in flight. */
  #inFlight: number[] = [];

  constructor(form: SliceForm<Figures>) {
    this.#form = form;
  }

  /** Of the last `read`. */
  get length(): Milliseconds {
    return this.#length;
  }

  /** Those that hold an exchange, the earliest first. */
  read(session: Session, endpoint: Endpoint): readonly EndpointSlice<Figures>[] {
    const { table } = session;
    this.#turnTo(session, endpoint);
    this.#inFlight = this.#inFlight.filter((row) => row >= table.firstRow && !this.#add(row, table));
    this.#forgetLeft(table);
    const number = table.endpoints.find(endpoint);
    for (let row = this.#next; row < table.nextRow; row += 1) {
      if (table.endpoint.at(row) === number && !this.#add(row, table)) this.#inFlight.push(row);
    }
    this.#next = table.nextRow;
    return this.#slices.flatMap(({ figures, last }, index) => {
      return last < 0 ? [] : [{ at: (this.#start + index * this.#length) as Instant, figures }];
    });
  }

  /** Begins anew where it is about something else, or the slices lie elsewhere. */
  #turnTo(session: Session, endpoint: Endpoint): void {
    const { table, summary } = session;
    const start = summary.start ?? 0;
    const last = table.nextRow === 0 ? 0 : table.lastStart;
    let length = SHORTEST;
    while ((last - start) / length >= SLICES) length *= 2;
    const isSame = this.#session === session && this.#endpoint === endpoint && this.#endpoints === table.endpoints;
    if (isSame && this.#start === start && this.#length === length) return;
    this.#session = session;
    this.#endpoint = endpoint;
    this.#endpoints = table.endpoints;
    this.#start = start;
    this.#length = length;
    this.#slices = Array.from({ length: SLICES }, () => this.#empty());
    this.#first = table.firstRow;
    this.#next = table.firstRow;
    this.#inFlight = [];
  }

  /** Slices of which a row has left the list are put together again from those that are left. */
  #forgetLeft(table: ExchangeTable): void {
    const { firstRow } = table;
    if (this.#first === firstRow) return;
    this.#first = firstRow;
    this.#next = Math.max(this.#next, firstRow);
    const number = table.endpoints.find(this.#endpoint as Endpoint);
    for (const [index, { first, last }] of this.#slices.entries()) {
      if (first >= firstRow) continue;
      this.#slices[index] = this.#empty();
      for (let row = firstRow; row <= last; row += 1) {
        if (table.endpoint.at(row) === number && this.#indexOf(row, table) === index) this.#add(row, table);
      }
    }
  }

  /** Whether the row has ended: then there is nothing more to come of it. */
  #add(row: number, table: ExchangeTable): boolean {
    if (table.outcome.at(row) === 0) return false;
    if (!table.countsAt(row)) return true;
    const slice = this.#slices[this.#indexOf(row, table)] as Slice<Figures>;
    this.#form.add(slice.figures, row, table);
    slice.first = Math.min(slice.first, row);
    slice.last = Math.max(slice.last, row);
    return true;
  }

  #indexOf(row: number, table: ExchangeTable): number {
    const since = table.instants.startAt(row) - this.#start;
    return Math.min(SLICES - 1, Math.max(0, Math.floor(since / this.#length)));
  }

  #empty(): Slice<Figures> {
    return { figures: this.#form.empty(), first: Number.POSITIVE_INFINITY, last: -1 };
  }
}
