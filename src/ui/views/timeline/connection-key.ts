import type { TimelineRecord } from "../../../engine/messages/timeline-messages.ts";
import { clientConnectionLine, serverConnectionLine } from "../../format/connection-label.ts";

/** The connection of a row: the client connection if only that one is multiplexed, else the server connection. */
export interface ConnectionKey {
  readonly side: "connection" | "clientConnection";
  readonly number: number;
  /** The connection's text in a row: "connection 3 · stream 7". */
  readonly line: string;
}

/** The connection of the record's row; `null` if there is none. */
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
