import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import { clientCarrierLine, serverCarrierLine } from "../../format/carrier.ts";

/** The connection by which rows belong together: the one to the server, or the client's where only that is multiplexed. */
export interface Carrier {
  readonly side: "connection" | "clientConnection";
  readonly number: number;
  /** Of the row that it was asked of: "connection 3 · stream 7". */
  readonly line: string;
}

/** `null` where there is none. */
export function carrierOf(record: TimelineRecord): Carrier | null {
  const { connection, stream, clientConnection, clientStream } = record;
  if (stream === null && clientStream !== null && clientConnection !== null)
    return Object.freeze({ side: "clientConnection", number: clientConnection, line: clientCarrierLine(record) });
  if (connection === null) return null;
  return Object.freeze({ side: "connection", number: connection, line: serverCarrierLine(record) });
}

export function carriesIt({ side, number }: Carrier, record: TimelineRecord): boolean {
  return record[side] === number;
}
