import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import { isLasting } from "../../../engine/model/exchange.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";
import { niceCeiling } from "../../format/scale.ts";
import type { ColumnName } from "./columns.ts";
import { phaseBackground } from "./phase-background.ts";
import { type TrafficRow, trafficRowOf } from "./rows.ts";

/** The texts of a row, with the background of its bar. */
export type DrawnRow = TrafficRow & { readonly bar: string };

/** A row, with its bar drawn to a scale. */
interface BarredRow {
  readonly texts: TrafficRow;
  readonly scale: Milliseconds;
  /** The columns for which the row has texts. */
  readonly shown: ReadonlySet<ColumnName>;
  readonly isInFinding: boolean;
  readonly row: DrawnRow;
}

/**
 * Rows whose phase bars share one axis. A row is reused until the record, the axis, the visible columns or the selected
 * finding changes.
 */
export class BarredRows {
  readonly #rowOf = new WeakMap<TrafficRecord, BarredRow>();
  readonly #now: () => Instant;
  #scale: Milliseconds = 1;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** End of the shared axis, in ms. */
  get scale(): Milliseconds {
    return this.#scale;
  }

  /** Fits the scale of the bars to the visible records. */
  fit(records: readonly TrafficRecord[]): void {
    this.#scale = barScaleOf(records, this.#scale);
  }

  /**
   * The row of a record. `shown`: the visible columns. `isInFinding`: whether the exchange belongs to the selected
   * finding.
   */
  rowOf(record: TrafficRecord, shown: ReadonlySet<ColumnName>, isInFinding = false): DrawnRow {
    const scale = this.#scale;
    const known = this.#rowOf.get(record);
    const isKnown =
      known !== undefined && !record.inFlight && known.shown === shown && known.isInFinding === isInFinding;
    if (isKnown && known.scale === scale) return known.row;
    const texts = isKnown ? known.texts : trafficRowOf(record, this.#now(), shown, isInFinding);
    const row = Object.freeze({ ...texts, bar: phaseBackground(record, scale) });
    this.#rowOf.set(record, { texts, scale, shown, isInFinding, row });
    return row;
  }
}

/**
 * One scale for all visible bars. It grows if the longest bar does not fit, and shrinks only if the longest bar is
 * shorter than a quarter of the scale. The bar of a long exchange (such as a WebSocket) is cut at the cell's edge, so
 * that other bars stay readable.
 */
export function barScaleOf(records: readonly TrafficRecord[], before: Milliseconds): Milliseconds {
  const timed = records.filter(({ tags, status }) => !isLasting(tags, status));
  const longest = (timed.length > 0 ? timed : records).reduce(
    (most, { spans, wait, failedAfter }) => Math.max(most, spans.at(-1)?.to ?? wait?.to ?? 0, failedAfter ?? 0),
    1,
  );
  const needed = niceCeiling(longest);
  return needed > before || needed < before / 4 ? needed : before;
}
