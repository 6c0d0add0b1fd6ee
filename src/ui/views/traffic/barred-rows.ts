import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import type { Instant, Milliseconds } from "../../../engine/model/units.ts";
import { barScaleOf } from "./bar-scale.ts";
import type { ColumnName } from "./columns.ts";
import { phaseBackground } from "./phase-background.ts";
import { type TrafficRow, trafficRowOf } from "./rows.ts";

/** A row with the bar that it has on a scale. */
interface BarredRow {
  readonly texts: TrafficRow;
  readonly scale: Milliseconds;
  /** Columns that it has texts for. */
  readonly shown: ReadonlySet<ColumnName>;
  readonly row: TrafficRow & { readonly bar: string };
}

/** Rows with the bars of their phases, which have one axis in common. Each is shaped once, until it or the axis changes. */
export class BarredRows {
  readonly #rowOf = new WeakMap<TrafficRecord, BarredRow>();
  readonly #now: () => Instant;
  #scale: Milliseconds = 1;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** End of the common axis. */
  get scale(): Milliseconds {
    return this.#scale;
  }

  /** These are in sight from now on. */
  fit(records: readonly TrafficRecord[]): void {
    this.#scale = barScaleOf(records, this.#scale);
  }

  /** `shown`: the columns in sight. */
  rowOf(record: TrafficRecord, shown: ReadonlySet<ColumnName>): TrafficRow {
    const scale = this.#scale;
    const known = this.#rowOf.get(record);
    const isKnown = known !== undefined && !record.inFlight && known.shown === shown;
    if (isKnown && known.scale === scale) return known.row;
    const texts = isKnown ? known.texts : trafficRowOf(record, this.#now(), shown);
    const row = Object.freeze({ ...texts, bar: phaseBackground(record.spans, record.failedAfter, scale) });
    this.#rowOf.set(record, { texts, scale, shown, row });
    return row;
  }
}
