import type { Sharing } from "../../engine/messages/exchange-messages.ts";
import type { Exchange } from "../../engine/model/exchange.ts";
import type { Wait } from "../../engine/model/wait.ts";
import { countText } from "./count.ts";
import { durationText, exactDurationText } from "./duration.ts";

/** Characters of a target within a sentence: a longer one would bury what is said of it. Our choice. */
const LONGEST_TARGET = 80;

/** What carried an exchange on either side. */
type Carriers = Pick<Exchange, "connection" | "stream" | "clientConnection" | "clientStream">;

/** "connection 3 · stream 7"; "" where none carried it. */
export function serverCarrierLine({ connection, stream }: Carriers): string {
  return connection === null ? "" : `connection ${connection}${streamText(stream)}`;
}

/** The same of the client's side, where it is multiplexed; else "". */
export function clientCarrierLine({ clientConnection, clientStream }: Carriers): string {
  if (clientStream === null || clientConnection === null) return "";
  return `client’s connection ${clientConnection}${streamText(clientStream)}`;
}

function streamText(stream: number | null): string {
  return stream === null ? "" : ` · stream ${stream}`;
}

/** On what it went to the server, in sentences; "" where there is nothing to tell. */
export function serverCarrierText({ connection, stream, reused }: Exchange, sharing: Sharing | null): string {
  if (connection === null || sharing === null || (stream === null && reused !== true)) return "";
  const what =
    stream === null
      ? `Connection ${connection}`
      : `Stream ${stream} of connection ${connection} (HTTP/2), ${sharingText(sharing)}`;
  if (reused !== true) return `${what}; opened for this exchange.`;
  const { openedBy } = sharing;
  const opened = openedBy === null ? "" : `; opened by ${openedBy.method} ${shortened(openedBy.target)}`;
  return `${what}${opened}. It was not opened for this exchange: DNS, Connect and TLS are not counted.`;
}

/** On what it came from the client, where that was multiplexed; else "". */
export function clientCarrierText({ clientConnection, clientStream }: Exchange, sharing: Sharing | null): string {
  if (clientStream === null || sharing === null) return "";
  return `From the client: stream ${clientStream} of its connection ${clientConnection} (HTTP/2), ${sharingText(sharing)}.`;
}

function shortened(target: string): string {
  return target.length > LONGEST_TARGET ? `${target.slice(0, LONGEST_TARGET - 1)}…` : target;
}

function sharingText({ others, more }: Sharing): string {
  if (others === 0 && !more) return "alone on it at the time";
  return `shared with ${more ? "at least " : ""}${countText(others)} ${others === 1 ? "other" : "others"} at the time`;
}

/** How long it waited, and for what. */
export function waitText({ waitedFor, from, to }: Wait): string {
  return `It waited ${exactDurationText(to - from)} ms ${REASONS[waitedFor]}.`;
}

/** The same within a sentence, as lists show it: "it waited 318 ms for a connection that another exchange was opening". */
export function waitClause({ waitedFor, from, to }: Wait): string {
  return `it waited ${durationText(to - from)} ms ${REASONS[waitedFor]}`;
}

const REASONS: Readonly<Record<Wait["waitedFor"], string>> = {
  connection: "for a connection that another exchange was opening",
  stream: "for a free stream: all that the server allows were taken",
  sign: "for a sign that the server is still there, after a long silence",
  retry: "for an answer over a used connection that ended without one, then was sent again",
  unsaid: "before it was sent; the file does not say for what",
};
