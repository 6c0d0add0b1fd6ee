import type { Sharing } from "../../engine/messages/exchange-messages.ts";
import type { Exchange } from "../../engine/model/exchange.ts";
import type { Wait } from "../../engine/model/phases.ts";
import { countPhrase } from "./count.ts";
import { durationText, exactDurationText } from "./duration.ts";

/** The most characters of a target within a sentence. A longer target is cut. */
const LONGEST_TARGET = 80;

/** The connections and streams that carried an exchange, on the client's side and on the server's. */
type Carriers = Pick<Exchange, "connection" | "stream" | "clientConnection" | "clientStream">;

/** "connection 3 · stream 7"; "" if there is no connection. */
export function serverConnectionLine({ connection, stream }: Carriers): string {
  return connection === null ? "" : `connection ${connection}${streamText(stream)}`;
}

/** "client’s connection 3 · stream 7" if the connection is multiplexed; else "". */
export function clientConnectionLine({ clientConnection, clientStream }: Carriers): string {
  if (clientStream === null || clientConnection === null) return "";
  return `client’s connection ${clientConnection}${streamText(clientStream)}`;
}

function streamText(stream: number | null): string {
  return stream === null ? "" : ` · stream ${stream}`;
}

/**
 * Describes the server connection in sentences: its stream, how it was shared, and whether it was reused. "" if none of
 * these applies.
 */
export function serverConnectionText({ connection, stream, reused }: Exchange, sharing: Sharing | null): string {
  if (connection === null || sharing === null || (stream === null && reused !== true)) return "";
  const what =
    stream === null
      ? `Connection ${connection}`
      : `Stream ${stream} of connection ${connection} (HTTP/2), ${sharingText(sharing)}`;
  if (reused !== true) return `${what}; the connection was opened for this exchange.`;
  const { openedBy } = sharing;
  const opened = openedBy === null ? "" : `; opened by ${openedBy.method} ${shortened(openedBy.target)}`;
  return `${what}${opened}. The connection was reused, so DNS, Connect and TLS are not counted.`;
}

/** The client's connection as a sentence if it is multiplexed; else "". */
export function clientConnectionText({ clientConnection, clientStream }: Exchange, sharing: Sharing | null): string {
  if (clientStream === null || sharing === null) return "";
  return `Client side: stream ${clientStream} of connection ${clientConnection} (HTTP/2), ${sharingText(sharing)}.`;
}

function shortened(target: string): string {
  return target.length > LONGEST_TARGET ? `${target.slice(0, LONGEST_TARGET - 1)}…` : target;
}

function sharingText({ others, more }: Sharing): string {
  if (others === 0 && !more) return "the only stream at the time";
  return `shared with ${more ? "at least" : "up to"} ${countPhrase(others, "other exchange", "other exchanges")} at once`;
}

/** The duration of a wait and its reason, as a sentence. */
export function waitText({ waitedFor, from, to }: Wait): string {
  return `The request waited ${exactDurationText(to - from)} ms ${REASONS[waitedFor]}.`;
}

/**
 * The duration of a wait and its reason, as a clause: "the request waited 318 ms while Weir checked an idle
 * connection".
 */
export function waitClause({ waitedFor, from, to }: Wait): string {
  return `the request waited ${durationText(to - from)} ms ${REASONS[waitedFor]}`;
}

const REASONS: Readonly<Record<Wait["waitedFor"], string>> = {
  connection: "for a connection that another exchange was opening",
  stream: "for a free stream, because the server's limit was reached",
  sign: "while Weir checked an idle connection",
  retry: "on a reused connection that closed without a response, and was sent again",
  browser: "in the browser's own queue, before the browser handled it",
  unsaid: "before it was sent; the HAR file gives no reason",
};
