import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { type ConnectionKey, connectionKeyOf } from "./connection-key.ts";

/**
 * The connection whose rows are marked: that of the row under the pointer, else that of the selected row. The row may
 * be out of view.
 */
export class MarkedConnection {
  #pointed: ExchangeId | null = null;
  #last: { readonly id: ExchangeId; readonly connection: ConnectionKey | null } | null = null;

  /** Sets the row under the pointer; `null`: none. */
  point(exchange: ExchangeId | null): void {
    this.#pointed = exchange;
  }

  /**
   * The connection to mark, found in the loaded records. `null`: no row is under the pointer or selected, or the
   * connection of the row is unknown.
   */
  among(records: readonly TimelineRecord[], chosen: ExchangeId | null): ConnectionKey | null {
    const id = this.#pointed ?? chosen;
    const record = records.find((each) => each.id === id);
    if (record !== undefined) this.#last = { id: record.id, connection: connectionKeyOf(record) };
    return this.#last?.id === id ? this.#last.connection : null;
  }
}
