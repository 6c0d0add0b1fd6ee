import type { Instants, Phase } from "../model/phases.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import { RealColumn } from "./column.ts";

/** Cells of one row, in the order of Instants. */
const CELLS = 12;
const RESPONSE_END = 11;

/**
 * The instants of one exchange by row, twelve cells each; NaN stands for `null`, also in what is told of them:
 *
 *   start 0 · head 1 · dns 2 3 · connect 4 · TLS 5 · connected 6 · request 7 8 · response 9 · forwarded 10 · end 11
 */
export class InstantsColumn {
  readonly #cells = new RealColumn(Number.NaN, CELLS);

  at(row: number): Instants {
    const at = (cell: number): Instant | null => {
      const time = this.#cells.at(row * CELLS + cell);
      return Number.isNaN(time) ? null : (time as Instant);
    };
    return Object.freeze({
      startTime: this.startAt(row) as Instant,
      headReceived: at(1),
      domainLookupStart: at(2),
      domainLookupEnd: at(3),
      connectStart: at(4),
      secureConnectionStart: at(5),
      connectEnd: at(6),
      requestStart: at(7),
      requestEnd: at(8),
      responseStart: at(9),
      responseForwarded: at(10),
      responseEnd: at(RESPONSE_END),
    });
  }

  startAt(row: number): number {
    return this.#cells.at(row * CELLS);
  }

  /** As `latencyOf`. */
  latencyAt(row: number): Milliseconds {
    return this.#cells.at(row * CELLS + RESPONSE_END) - this.#cells.at(row * CELLS);
  }

  responseEndAt(row: number): number {
    return this.#cells.at(row * CELLS + RESPONSE_END);
  }

  /** Whether the request's whole head came. */
  isHeadKnownAt(row: number): boolean {
    return !Number.isNaN(this.#cells.at(row * CELLS + 1));
  }

  /** Whether an answer began to come. */
  isAnsweredAt(row: number): boolean {
    return !Number.isNaN(this.#cells.at(row * CELLS + 9));
  }

  /** The length of a phase, as `phasesOf`. */
  phaseAt(row: number, phase: Phase): Milliseconds {
    const at = (cell: number): number => this.#cells.at(row * CELLS + cell);
    switch (phase) {
      case "dns":
        return at(3) - at(2);
      case "connect":
        return (Number.isNaN(at(5)) ? at(6) : at(5)) - at(4);
      case "tls":
        return at(6) - at(5);
      case "ttfb":
        return at(9) - at(7);
      case "transfer":
        return at(RESPONSE_END) - at(9);
    }
  }

  /** Of an exchange in flight nothing else is known. */
  putStart(row: number, time: Instant): void {
    this.#cells.put(row * CELLS, time);
  }

  put(row: number, at: Instants): void {
    const first = row * CELLS;
    this.#cells.put(first, at.startTime);
    this.#cells.put(first + 1, at.headReceived ?? Number.NaN);
    this.#cells.put(first + 2, at.domainLookupStart ?? Number.NaN);
    this.#cells.put(first + 3, at.domainLookupEnd ?? Number.NaN);
    this.#cells.put(first + 4, at.connectStart ?? Number.NaN);
    this.#cells.put(first + 5, at.secureConnectionStart ?? Number.NaN);
    this.#cells.put(first + 6, at.connectEnd ?? Number.NaN);
    this.#cells.put(first + 7, at.requestStart ?? Number.NaN);
    this.#cells.put(first + 8, at.requestEnd ?? Number.NaN);
    this.#cells.put(first + 9, at.responseStart ?? Number.NaN);
    this.#cells.put(first + 10, at.responseForwarded ?? Number.NaN);
    this.#cells.put(first + RESPONSE_END, at.responseEnd ?? Number.NaN);
  }

  /** As of every column. */
  forgetBefore(row: number): void {
    this.#cells.forgetBefore(row * CELLS);
  }
}
