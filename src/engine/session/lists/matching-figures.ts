import type { Figures } from "../../messages/status-messages.ts";
import type { Bytes, Instant, Milliseconds } from "../../model/units.ts";
import { percentileBy, selectRank } from "../../stats/percentile.ts";
import { RecentStarts } from "../../stats/recent-starts.ts";
import type { Session } from "../session.ts";
import type { ExchangeTable } from "../table/exchange-table.ts";

/** Rows per slice of work; a slice takes 20 to 40 ms. */
const ROWS_AT_ONCE = 50_000;

/**
 * The figures of the exchanges at `rows`, in the session's slices of time. Exchanges count as in the session's figures:
 * an open stream counts once its response has begun.
 */
export class MatchingFigures {
  readonly #session: Session;
  readonly #rows: Uint32Array;
  readonly #slices: readonly Slice[];
  readonly #sliceLength: Milliseconds;
  readonly #starts = new RecentStarts();
  #next = 0;
  #known: Omit<Figures, "ratePerMinute"> | null = null;

  constructor(session: Session, rows: Uint32Array) {
    this.#session = session;
    this.#rows = rows;
    this.#slices = session.summary.slices().map(({ at }) => emptySlice(at));
    this.#sliceLength = session.summary.sliceLength;
  }

  /** Does one slice of the work; returns `false` if there is more. */
  advance(most = ROWS_AT_ONCE): boolean {
    const end = Math.min(this.#rows.length, this.#next + most);
    for (; this.#next < end; this.#next += 1) this.#add(this.#rows[this.#next] as number);
    return this.#next === this.#rows.length;
  }

  /** Completes the work and returns the figures. `now` is used for the request rate. */
  at(now: Instant): Figures {
    this.advance(Number.POSITIVE_INFINITY);
    const { summary, endedAt } = this.#session;
    this.#known ??= this.#sums();
    return Object.freeze({
      ...this.#known,
      ratePerMinute: this.#starts.ratePerMinute(summary.start, endedAt ?? now),
    });
  }

  #add(row: number): void {
    const { table } = this.#session;
    if (row < table.firstRow || table.isUncountedAt(row)) return;
    this.#starts.add(table.instants.startAt(row) as Instant);
    const slice = this.#sliceAt(countedAtOf(table, row));
    if (slice === undefined) return;
    slice.requests += 1;
    const ended = this.#sliceAt(table.endTime.at(row));
    if (ended === undefined) return;
    if (table.isErrorAt(row)) slice.errors += 1;
    ended.bytes += table.encodedBodySize.at(row) + table.requestBodySize.at(row);
    const latency = table.latencyAt(row);
    if (!Number.isNaN(latency)) ended.latencies.push(latency);
  }

  /** Returns `undefined` if `time` is NaN. */
  #sliceAt(time: number): Slice | undefined {
    const slices = this.#slices;
    const index = Math.floor((time - (slices[0]?.at ?? 0)) / this.#sliceLength);
    return slices[Math.max(0, Math.min(slices.length - 1, index))];
  }

  #sums(): Omit<Figures, "ratePerMinute"> {
    const slices = this.#slices;
    const sumOf = (figure: "requests" | "errors" | "bytes") => slices.reduce((sum, slice) => sum + slice[figure], 0);
    const [counted, errors] = [sumOf("requests"), sumOf("errors")];
    return {
      sessionStart: this.#session.summary.start,
      exchanges: this.#rows.length,
      counted,
      errors,
      errorRate: counted === 0 ? null : (errors / counted) * 100,
      p95: p95Of(slices.flatMap(({ latencies }) => latencies)),
      bytes: sumOf("bytes"),
      sliceLength: this.#sliceLength,
      slices: slices.map(({ latencies, ...slice }) => Object.freeze({ ...slice, p95: p95Of(latencies) })),
    };
  }
}

interface Slice {
  readonly at: Instant;
  requests: number;
  errors: number;
  bytes: Bytes;
  readonly latencies: Milliseconds[];
}

function emptySlice(at: Instant): Slice {
  return { at, requests: 0, errors: 0, bytes: 0, latencies: [] };
}

/** When an exchange was counted; NaN if it was not counted yet. */
function countedAtOf(table: ExchangeTable, row: number): number {
  const isOpenEarly =
    table.isLastingAt(row) && table.instants.isAnsweredAt(row) && (table.statusAt(row) ?? 0) < FIRST_ERROR;
  return isOpenEarly ? (table.instants.at(row).responseStart ?? Number.NaN) : table.endTime.at(row);
}

const FIRST_ERROR = 400;

/** Returns `null` if there are no values. */
function p95Of(values: readonly Milliseconds[]): Milliseconds | null {
  const { length } = values;
  const samples = Float64Array.from(values);
  return length === 0 ? null : percentileBy(length, 0.95, (rank) => selectRank(samples, length, rank));
}
