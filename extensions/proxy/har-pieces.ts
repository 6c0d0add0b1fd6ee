import type { Side } from "../../src/engine/capture/event.ts";
import { HAR_SEPARATOR, type HarSource, harEnd, harEntry, harStart } from "../../src/engine/interchange/har.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { decodeBody } from "./body-decoding.ts";
import { checkOpen, type ExportSource, type Piece, progressOf, remarkIn } from "./export-source.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import { codingOf, isStoredDecoded } from "./stored-body.ts";

/** The exchanges as one HAR document. */
export async function* harPieces(
  source: ExportSource,
  exchanges: Iterable<Exchange>,
  redact: boolean,
): AsyncGenerator<Piece> {
  yield { text: harStart(source.version, redact), progress: 0 };
  let count = 0;
  for (const exchange of exchanges) {
    let separator = count === 0 ? "" : HAR_SEPARATOR;
    count += 1;
    for (const text of harEntry(await harSourceOf(source, exchange), redact)) {
      yield { text: separator + text, progress: progressOf(source, count) };
      separator = "";
    }
    // After all that was read of it: a look at the folder for each of a million messages is a good part of their price.
    checkOpen(source);
  }
  yield { text: harEnd(), progress: 1 };
}

async function harSourceOf({ session, reader }: ExportSource, exchange: Exchange): Promise<HarSource> {
  const { id, requestBodySize, encodedBodySize } = exchange;
  const heads = reader?.headsOf(id) ?? { request: "", response: null };
  const request = bytesOf(reader, exchange, "request");
  const response = bytesOf(reader, exchange, "response");
  const decoded = await decodeBody(response, codingOf(exchange, heads.response ?? ""));
  const stored = isStoredDecoded(exchange) ? (exchange.decodedBodySize ?? encodedBodySize) : encodedBodySize;
  const responseBody = { bytes: decoded.bytes, whole: response.length >= stored };
  return {
    exchange,
    requestHead: heads.request,
    responseHead: heads.response,
    requestBody: { bytes: request, whole: request.length === requestBodySize },
    responseBody: decoded.problem === null ? responseBody : null,
    serverAddress: addressOf(serverOf(session, id)),
    remark: remarkIn(session, id),
    messages: reader === null ? [] : messagesOf(reader, exchange),
  };
}

/** `address:port` of the row: it outlives the facts of its connection, of which only the latest are kept. */
function serverOf({ table }: Session, id: ExchangeId): string | null {
  const row = table.rowOf(id);
  return row === null ? null : table.texts.textAt(table.server.at(row));
}

function bytesOf(reader: SessionReader | null, { id }: Exchange, side: Side): Buffer {
  const part = reader?.readBody(id, side, 0, Number.MAX_SAFE_INTEGER);
  return part?.kind === "bytes" ? part.bytes : Buffer.alloc(0);
}

function* messagesOf(
  reader: SessionReader,
  { id }: Exchange,
): Generator<HarSource["messages"] extends Iterable<infer M> ? M : never> {
  const count = reader.messageCount(id);
  const AT_ONCE = 100;
  for (let from = 0; from < count; from += AT_ONCE) {
    for (const message of reader.readMessages(id, from, AT_ONCE)) {
      const part = reader.readMessage(id, message.index);
      const { at, side, kind, cut } = message;
      const isKept = part.kind === "bytes";
      yield { at, side, kind, cut: cut || !isKept, bytes: isKept ? part.bytes : new Uint8Array(0) };
    }
  }
}

/** `address:port`, IPv6 in brackets, without the port and the brackets. */
function addressOf(address: string | null): string | null {
  return address === null ? null : address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
}
