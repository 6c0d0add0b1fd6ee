import { NOT_MODIFIED, SWITCHING_PROTOCOLS, UNCOUNTED_TAGS, UNTIMED_TAGS } from "../../model/exchange.ts";
import { type Phase, phasesOf, type Wait, waitOf } from "../../model/phases.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import { RESPONDED, tagBits, waitedForOf } from "./column.ts";
import { ExchangeColumns } from "./exchange-columns.ts";

const UNTIMED = tagBits(UNTIMED_TAGS);
/** A row that the user deleted; a bit beyond those of TAGS. */
const HIDDEN = 1 << 30;
const UNCOUNTED = tagBits(UNCOUNTED_TAGS) | HIDDEN;
const APPLICATION_ERROR = tagBits(["application-error"]);

/**
 * Reads exchanges by row. Also computes what `timedLatencyOf`, `isError` and other functions of the model return,
 * without creating an exchange.
 */
export class ExchangeRows extends ExchangeColumns {
  /** As `timedLatencyOf`, with NaN for `null`. */
  latencyAt(row: number): Milliseconds {
    if (this.outcome.at(row) !== RESPONDED || this.isLastingAt(row)) return Number.NaN;
    return waitedForOf(this.reuse.at(row)) === "browser"
      ? this.instants.queuedLatencyAt(row)
      : this.instants.latencyAt(row);
  }

  /** As `failedAfterOf`, with NaN for `null`. */
  failedAfterAt(row: number): Milliseconds {
    if (this.outcome.at(row) <= RESPONDED || !this.instants.isHeadKnownAt(row)) return Number.NaN;
    if (this.isLastingAt(row) && this.instants.isAnsweredAt(row)) return Number.NaN;
    return this.endTime.at(row) - this.instants.startAt(row);
  }

  /** The end as in `intervalOf`: the response's last byte, else the end of the exchange; NaN while in flight. */
  intervalEndAt(row: number): number {
    const lastByte = this.instants.responseEndAt(row);
    return Number.isNaN(lastByte) ? this.endTime.at(row) : lastByte;
  }

  /** The latency, or the time until the exchange failed; NaN if there is neither. */
  durationAt(row: number): Milliseconds {
    return this.outcome.at(row) === RESPONDED ? this.latencyAt(row) : this.failedAfterAt(row);
  }

  /** As `InstantsColumn.phaseAt`, without the time in which conditions slowed the exchange. */
  phaseAt(row: number, phase: Exclude<Phase, "weir">): Milliseconds {
    const slowed = this.slowed.at(row);
    if (slowed === null) return this.instants.phaseAt(row, phase);
    return phasesOf(this.instants.at(row), null, slowed)[phase] ?? Number.NaN;
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

  /** Whether the user deleted the exchange. Its row is in no list and no figure. */
  isHiddenAt(row: number): boolean {
    return (this.tags.at(row) & HIDDEN) !== 0;
  }

  protected setHidden(row: number, isHidden: boolean): void {
    this.tags.put(row, isHidden ? this.tags.at(row) | HIDDEN : this.tags.at(row) & ~HIDDEN);
  }

  hasEndedAt(row: number): boolean {
    return this.outcome.at(row) !== 0;
  }

  /** Whether the exchange has ended and is part of the statistics. A hidden one is not. */
  countsAt(row: number): boolean {
    return this.hasEndedAt(row) && !this.isUncountedAt(row);
  }

  isUncountedAt(row: number): boolean {
    return (this.tags.at(row) & UNCOUNTED) !== 0;
  }

  /** As `isLasting`. While the exchange is in flight, judged by what is known so far. */
  isLastingAt(row: number): boolean {
    return (this.tags.at(row) & UNTIMED) !== 0 || this.status.at(row) === SWITCHING_PROTOCOLS;
  }

  /** Whether the exchange has ended and is an error. An exchange in flight is no error, whatever its status. */
  isErrorAt(row: number): boolean {
    const outcome = this.outcome.at(row);
    if (outcome !== RESPONDED) return outcome > RESPONDED;
    return this.status.at(row) >= 400 || (this.tags.at(row) & APPLICATION_ERROR) !== 0;
  }

  /** The number of errors among `rows` (ascending). Far quicker than testing each row. */
  errorsAmong(rows: Uint32Array): number {
    const [outcomes, statuses] = [this.outcome.read(rows, rows.length), this.status.read(rows, rows.length)];
    const tags = this.tags.read(rows, rows.length);
    let errors = 0;
    for (let place = 0; place < rows.length; place += 1) {
      const outcome = outcomes[place] as number;
      const isBad = (statuses[place] as number) >= 400 || ((tags[place] as number) & APPLICATION_ERROR) !== 0;
      if (outcome > RESPONDED || (outcome === RESPONDED && isBad)) errors += 1;
    }
    return errors;
  }

  /** The status sent to the client, even while the exchange is in flight; `null` if there is none. */
  statusAt(row: number): number | null {
    return this.status.at(row) || null;
  }

  respondedAt(row: number): boolean {
    return this.outcome.at(row) === RESPONDED;
  }

  /** As `isSizeSample`. */
  isSizeSampleAt(row: number): boolean {
    return this.respondedAt(row) && this.status.at(row) !== NOT_MODIFIED;
  }
}
