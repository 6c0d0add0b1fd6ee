import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { type Carrier, carrierOf } from "./carrier.ts";

/** The connection whose rows are marked: that of the row that is pointed at, else of the chosen one, also once that is out of sight. */
export class MarkedCarrier {
  #pointed: ExchangeId | null = null;
  #last: { readonly id: ExchangeId; readonly carrier: Carrier | null } | null = null;

  /** The pointer is on that row; `null`: on none. */
  point(exchange: ExchangeId | null): void {
    this.#pointed = exchange;
  }

  /** Looks among the records that are held. `null`: no row is meant, or nothing is known of its connection. */
  among(records: readonly TimelineRecord[], chosen: ExchangeId | null): Carrier | null {
    const id = this.#pointed ?? chosen;
    const record = records.find((each) => each.id === id);
    if (record !== undefined) this.#last = { id: record.id, carrier: carrierOf(record) };
    return this.#last?.id === id ? this.#last.carrier : null;
  }
}
