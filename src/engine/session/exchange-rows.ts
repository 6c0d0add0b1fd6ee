import { SWITCHING_PROTOCOLS } from "../model/duration.ts";
import { TAGS, type Tag, UNCOUNTED_TAGS, UNTIMED_TAGS } from "../model/exchange.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import { type Wait, waitOf } from "../model/wait.ts";
import { RESPONDED, tagBits, waitedForOf } from "./exchange-codes.ts";
import { ExchangeColumns } from "./exchange-columns.ts";

const UNTIMED = tagBits(UNTIMED_TAGS);
const UNCOUNTED = tagBits(UNCOUNTED_TAGS);

/** What the model says of an exchange (`timedLatencyOf`, `isError` and others), told of a row without making the exchange. */
export class ExchangeRows extends ExchangeColumns {
  /** As `timedLatencyOf`, NaN for its `null`. */
  latencyAt(row: number): Milliseconds {
    if (this.outcome.at(row) !== RESPONDED || this.isLastingAt(row)) return Number.NaN;
    return this.instants.latencyAt(row);
  }

  /** As `failedAfterOf`, likewise. */
  failedAfterAt(row: number): Milliseconds {
    if (this.outcome.at(row) <= RESPONDED || !this.instants.isHeadKnownAt(row)) return Number.NaN;
    if (this.isLastingAt(row) && this.instants.isAnsweredAt(row)) return Number.NaN;
    return this.endTime.at(row) - this.instants.startAt(row);
  }

  /** The end that `intervalOf` has: its last byte, or where there was none its end; NaN in flight. */
  intervalEndAt(row: number): number {
    const lastByte = this.instants.responseEndAt(row);
    return Number.isNaN(lastByte) ? this.endTime.at(row) : lastByte;
  }

  /** How long it took, whatever came of it: its latency, or the time until it failed; NaN where there is neither. */
  durationAt(row: number): Milliseconds {
    return this.outcome.at(row) === RESPONDED ? this.latencyAt(row) : this.failedAfterAt(row);
  }

  /** As `waitOf`. */
  waitAt(row: number): Wait | null {
    const waitedFor = waitedForOf(this.reuse.at(row));
    if (waitedFor === null) return null;
    const endTime = this.endTime.at(row);
    return waitOf({
      instants: this.instants.at(row),
      endTime: Number.isNaN(endTime) ? null : (endTime as Instant),
      waitedFor,
    });
  }

  /** Whether the exchange has ended and is in the statistics. */
  countsAt(row: number): boolean {
    return this.outcome.at(row) !== 0 && !this.isUncountedAt(row);
  }

  isUncountedAt(row: number): boolean {
    return (this.tags.at(row) & UNCOUNTED) !== 0;
  }

  /** As `isLasting`; in flight, as far as it is known. */
  isLastingAt(row: number): boolean {
    return (this.tags.at(row) & UNTIMED) !== 0 || this.status.at(row) === SWITCHING_PROTOCOLS;
  }

  /** In flight is none, whatever its status. */
  isErrorAt(row: number): boolean {
    const outcome = this.outcome.at(row);
    return outcome > RESPONDED || (outcome === RESPONDED && this.status.at(row) >= 400);
  }

  /** How many of many rows, ascending, are errors: far faster than a look at each. */
  errorsAmong(rows: Uint32Array): number {
    const [outcomes, statuses] = [this.outcome.read(rows, rows.length), this.status.read(rows, rows.length)];
    let errors = 0;
    for (let place = 0; place < rows.length; place += 1) {
      const outcome = outcomes[place] as number;
      if (outcome > RESPONDED || (outcome === RESPONDED && (statuses[place] as number) >= 400)) errors += 1;
    }
    return errors;
  }

  /** The status that the client sees, if any, also in flight. */
  statusAt(row: number): number | null {
    return this.status.at(row) || null;
  }

  respondedAt(row: number): boolean {
    return this.outcome.at(row) === RESPONDED;
  }

  hasTag(row: number, tag: Tag): boolean {
    return (this.tags.at(row) & (1 << TAGS.indexOf(tag))) !== 0;
  }
}
