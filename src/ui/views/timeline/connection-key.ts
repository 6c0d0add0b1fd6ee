import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import { clientConnectionLine, serverConnectionLine } from "../../format/connection-label.ts";

/** The connection by which rows are grouped: the client's if only that one is multiplexed, else the server's. */
export interface ConnectionKey {
  readonly side: "connection" | "clientConnection";
  readonly number: number;
  /** The connection's text in a row: "connection 3 · stream 7". */
  readonly line: string;
}

/** The connection by which the record is grouped; `null` if there is none. */
export function connectionKeyOf(record: TimelineRecord): ConnectionKey | null {
  const { connection, stream, clientConnection, clientStream } = record;
  if (stream === null && clientStream !== null && clientConnection !== null)
    return Object.freeze({ side: "clientConnection", number: clientConnection, line: clientConnectionLine(record) });
  if (connection === null) return null;
  return Object.freeze({ side: "connection", number: connection, line: serverConnectionLine(record) });
}

export function isOnConnection({ side, number }: ConnectionKey, record: TimelineRecord): boolean {
  return record[side] === number;
}
