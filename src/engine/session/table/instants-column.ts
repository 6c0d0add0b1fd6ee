import type { Instants, Phase, Slowed } from "../../model/phases.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import { RealColumn, SparseColumn } from "./column.ts";

/**
 * The number of cells of every row (`CELLS`), and of further cells for an exchange that opened its connection
 * (`OPENING_CELLS`).
 */
const CELLS = 7;
const OPENING_CELLS = 5;
/** The indexes of the cells that hold the head's arrival and the response's end. */
const HEAD_RECEIVED = 1;
const RESPONSE_END = 6;

/**
 * By row, the twelve instants of an exchange. NaN stands for `null`, also in results that are numbers. The cells:
 *
 *   start 0 · head 1 · request 2 3 · response 4 · forwarded 5 · end 6
 *
 * and in a column of their own, since most exchanges use an open connection:
 *
 *   dns 0 1 · connect 2 · TLS 3 · connected 4
 *
 * and the release of a held response in another one.
 */
export class InstantsColumn {
  readonly #cells = new RealColumn(Number.NaN, CELLS);
  readonly #opening = new SparseColumn(OPENING_CELLS);
  readonly #released = new SparseColumn(1);

  at(row: number): Instants {
    const at = (cell: number): Instant | null => orNull(this.#cells.at(row * CELLS + cell));
    const isOpening = this.#opening.has(row);
    const opening = (cell: number): Instant | null => (isOpening ? orNull(this.#opening.at(row, cell)) : null);
    const instants: Instants = {
      startTime: this.startAt(row) as Instant,
      headReceived: at(1),
      domainLookupStart: opening(0),
      domainLookupEnd: opening(1),
      connectStart: opening(2),
      secureConnectionStart: opening(3),
      connectEnd: opening(4),
      requestStart: at(2),
      requestEnd: at(3),
      responseStart: at(4),
      responseForwarded: at(5),
      responseEnd: at(RESPONSE_END),
    };
    const released = this.#released.at(row, 0);
    return Object.freeze(Number.isNaN(released) ? instants : { ...instants, released: released as Instant });
  }

  startAt(row: number): number {
    return this.#cells.at(row * CELLS);
  }

  /** As `latencyOf`. */
  latencyAt(row: number): Milliseconds {
    return this.#cells.at(row * CELLS + RESPONSE_END) - this.#cells.at(row * CELLS);
  }

  /** As `latencyOf` of a request that waited for the browser. */
  queuedLatencyAt(row: number): Milliseconds {
    return this.#cells.at(row * CELLS + RESPONSE_END) - this.#cells.at(row * CELLS + HEAD_RECEIVED);
  }

  responseEndAt(row: number): number {
    return this.#cells.at(row * CELLS + RESPONSE_END);
  }

  /** Whether the request's whole head was received. */
  isHeadKnownAt(row: number): boolean {
    return !Number.isNaN(this.#cells.at(row * CELLS + HEAD_RECEIVED));
  }

  /** Whether a response has begun. */
  isAnsweredAt(row: number): boolean {
    return !Number.isNaN(this.#cells.at(row * CELLS + 4));
  }

  /**
   * How long a phase took, as in `phasesOf`. Weir's own time is not a single difference of cells, so it is excluded.
   */
  phaseAt(row: number, phase: Exclude<Phase, "weir">): Milliseconds {
    const at = (cell: number): number => this.#cells.at(row * CELLS + cell);
    const opening = (cell: number): number => this.#opening.at(row, cell);
    switch (phase) {
      case "dns":
        return opening(1) - opening(0);
      case "connect":
        return (Number.isNaN(opening(3)) ? opening(4) : opening(3)) - opening(2);
      case "tls":
        return opening(4) - opening(3);
      case "ttfb":
        return at(4) - at(2);
      case "transfer":
        return at(RESPONSE_END) - firstKnown(at(5), this.#released.at(row, 0), at(4));
    }
  }

  /** Writes the start, the only instant that is known at first. */
  putStart(row: number, time: Instant): void {
    this.#cells.put(row * CELLS, time);
  }

  put(row: number, at: Instants): void {
    const first = row * CELLS;
    this.#cells.put(first, at.startTime);
    this.#cells.put(first + 1, at.headReceived ?? Number.NaN);
    this.#putOpening(row, 0, at.domainLookupStart);
    this.#putOpening(row, 1, at.domainLookupEnd);
    this.#putOpening(row, 2, at.connectStart);
    this.#putOpening(row, 3, at.secureConnectionStart);
    this.#putOpening(row, 4, at.connectEnd);
    this.#cells.put(first + 2, at.requestStart ?? Number.NaN);
    this.#cells.put(first + 3, at.requestEnd ?? Number.NaN);
    this.#cells.put(first + 4, at.responseStart ?? Number.NaN);
    this.#cells.put(first + 5, at.responseForwarded ?? Number.NaN);
    this.#cells.put(first + RESPONSE_END, at.responseEnd ?? Number.NaN);
    if (at.released !== undefined || this.#released.has(row)) this.#released.put(row, 0, at.released ?? Number.NaN);
  }

  #putOpening(row: number, cell: number, time: Instant | null): void {
    if (time !== null || this.#opening.has(row)) this.#opening.put(row, cell, time ?? Number.NaN);
  }

  /** As `Chunks.forgetBefore`. */
  forgetBefore(row: number): void {
    this.#cells.forgetBefore(row * CELLS);
    this.#opening.forgetBefore(row);
    this.#released.forgetBefore(row);
  }
}

function firstKnown(...times: readonly number[]): number {
  return times.find((time) => !Number.isNaN(time)) ?? Number.NaN;
}

function orNull(time: number): Instant | null {
  return Number.isNaN(time) ? null : (time as Instant);
}

/** By how long conditions delayed the exchanges; most rows are empty. */
export class SlowedColumn {
  /** Three cells: request, upload, response. */
  readonly #cells = new SparseColumn(3);

  #isEmpty = true;

  /** Whether no exchange was slowed so far. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  at(row: number): Slowed | null {
    if (!this.#cells.has(row)) return null;
    const at = (cell: number) => this.#cells.at(row, cell);
    return Object.freeze({ request: at(0), upload: at(1), response: at(2) });
  }

  put(row: number, { request, upload, response }: Slowed): void {
    this.#isEmpty = false;
    this.#cells.put(row, 0, request);
    this.#cells.put(row, 1, upload);
    this.#cells.put(row, 2, response);
  }

  /** As `Chunks.forgetBefore`. */
  forgetBefore(row: number): void {
    this.#cells.forgetBefore(row);
  }
}
