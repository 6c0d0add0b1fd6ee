import type { Endpoint } from "../../model/endpoint.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import type { Session } from "../session.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** The most slices of a session, and the shortest length of a slice. */
const SLICES = 40;
const SHORTEST: Milliseconds = 1_000;

/** How the rows of a slice are aggregated to figures. */
export interface SliceForm<Figures> {
  empty(): Figures;
  /** Adds a row whose exchange has ended and is part of the statistics. */
  add(figures: Figures, row: number, table: ExchangeTable): void;
}

export interface EndpointSlice<Figures> {
  readonly at: Instant;
  readonly figures: Figures;
}

/** A slice, and the first and last row added to it. Without rows, `first` is infinite and `last` is -1. */
interface Slice<Figures> {
  figures: Figures;
  first: number;
  last: number;
}

/**
 * Aggregates an endpoint's rows in the table, separately for each slice of the session's time. A row belongs to the
 * slice in which it starts. Each read continues where the last one ended:
 *
 *   firstRow … added (rows in flight: checked again) … next … not visited yet … nextRow
 */
export class EndpointSlices<Figures> {
  readonly #form: SliceForm<Figures>;
  #session: Session | null = null;
  #endpoint: Endpoint | null = null;
  /** The table's `endpoints` object. `Session.regroup` and `Session.learn` replace the object. */
  #endpoints: object | null = null;
  #start = 0;
  #length: Milliseconds = SHORTEST;
  #slices: Slice<Figures>[] = [];
  #first = 0;
  #next = 0;
  /** Rows before `#next` that were in flight when they were last read. */
  #inFlight: number[] = [];

  constructor(form: SliceForm<Figures>) {
    this.#form = form;
  }

  /** The length of a slice at the last `read`. */
  get length(): Milliseconds {
    return this.#length;
  }

  /**
   * Reads the rows that were added, or whose exchange ended, since the last call. Returns the slices with at least one
   * exchange, oldest first.
   */
  read(session: Session, endpoint: Endpoint): readonly EndpointSlice<Figures>[] {
    const { table } = session;
    this.#turnTo(session, endpoint);
    const number = table.endpoints.find(endpoint);
    this.#inFlight = this.#inFlight.filter((row) => row >= table.firstRow && !this.#add(row, number, table));
    this.#forgetLeft(table);
    for (let row = this.#next; row < table.nextRow; row += 1) {
      if (!this.#add(row, number, table)) this.#inFlight.push(row);
    }
    this.#next = table.nextRow;
    return this.#slices.flatMap(({ figures, last }, index) => {
      return last < 0 ? [] : [{ at: (this.#start + index * this.#length) as Instant, figures }];
    });
  }

  /** Starts over if the session, the endpoint, the table's `endpoints` or the bounds of the slices changed. */
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

  /** Recomputes the slices from which a row was evicted. */
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
        if (this.#indexOf(row, table) === index) this.#add(row, number, table);
      }
    }
  }

  /**
   * Adds the row if it belongs to the endpoint and is part of the statistics. Returns `false` while the exchange is in
   * flight, since its operation is not known yet.
   */
  #add(row: number, endpoint: number, table: ExchangeTable): boolean {
    if (table.outcome.at(row) === 0) return false;
    if (table.endpoint.at(row) !== endpoint || !table.countsAt(row)) return true;
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
