import { HAR_SEPARATOR, type HarSource, harEnd, harEntry, harStart } from "../../../src/engine/interchange/har.ts";
import type { HarBody } from "../../../src/engine/interchange/har-bodies.ts";
import type { Initiator } from "../../../src/engine/interchange/har-fields.ts";
import { withWholeTarget } from "../../../src/engine/interchange/whole-target.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { isStoredDecoded, type StoredBody, storedBodyOf } from "../recording/stored-body.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import { annotationIn, checkOpen, type ExportSource, type Piece, progressOf } from "./export-source.ts";
import { type HarPages, NO_PAGES } from "./har-pages.ts";

/** What an export of a whole session says besides its exchanges: which caused which, and their pages. */
export interface HarContext {
  readonly causes: ReadonlyMap<ExchangeId, Initiator>;
  readonly pages: HarPages;
}

const NO_CONTEXT: HarContext = Object.freeze({ causes: new Map(), pages: NO_PAGES });

/** The exchanges as one HAR document. */
export async function* harPieces(
  source: ExportSource,
  exchanges: Iterable<Exchange>,
  redact: boolean,
  find: () => Promise<HarContext> = async () => NO_CONTEXT,
): AsyncGenerator<Piece> {
  const redaction = { redact, leftOut: 0 };
  // The export shows its progress while `find` searches.
  yield { text: "", progress: 0 };
  const context = await find();
  yield { text: harStart(source.version, context.pages.pages, redact), progress: 0 };
  let count = 0;
  for (const exchange of exchanges) {
    let separator = count === 0 ? "" : HAR_SEPARATOR;
    count += 1;
    for (const text of harEntry(await harSourceOf(source, exchange, context), redaction)) {
      yield { text: separator + text, progress: progressOf(source, count) };
      separator = "";
    }
    // Checked once per exchange, after its messages, since each check reads the folder.
    checkOpen(source);
  }
  yield { text: harEnd(redaction.leftOut), progress: 1 };
}

async function harSourceOf(
  { session, reader }: ExportSource,
  kept: Exchange,
  { causes, pages }: HarContext,
): Promise<HarSource> {
  const { id, requestBodySize, encodedBodySize } = kept;
  const found = reader?.headsOf(id) ?? null;
  const heads = found ?? { request: "", response: null };
  const exchange = withWholeTarget(kept, found);
  const request = reader && (await storedBodyOf(reader, exchange, "request", heads.request));
  const response = reader && (await storedBodyOf(reader, exchange, "response", heads.response ?? ""));
  const stored = isStoredDecoded(exchange) ? (exchange.decodedBodySize ?? encodedBodySize) : encodedBodySize;
  return {
    exchange,
    requestHead: heads.request,
    responseHead: heads.response,
    requestBody: harBodyOf(request, requestBodySize),
    responseBody: harBodyOf(response, stored),
    serverAddress: addressOf(serverOf(session, id)),
    annotation: annotationIn(session, id),
    initiator: causes.get(id) ?? null,
    pageref: pages.idOf(id),
    fields: reader !== null && exchange.tags.includes("imported") ? reader.fieldsOf(id) : null,
    messages: reader === null ? [] : messagesOf(reader, exchange),
  };
}

/** The server's `address:port`, from the row, because only the latest connections have their facts in memory. */
function serverOf({ table }: Session, id: ExchangeId): string | null {
  const row = table.rowOf(id);
  return row === null ? null : table.texts.textAt(table.server.at(row));
}

/** The body for a HAR entry. `size`: the stored size that a complete body has. */
function harBodyOf(body: StoredBody | null, size: Bytes): HarBody {
  if (body === null) return { bytes: Buffer.alloc(0), cutAt: size === 0 ? null : 0, problem: null };
  return { bytes: body.bytes, cutAt: body.kept >= size ? null : body.kept, problem: body.problem };
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
      yield { at, side, kind, cut: cut || !part.ok, bytes: part.ok ? part.value : new Uint8Array(0) };
    }
  }
}

/** The IP address in `address:port`, without brackets. */
function addressOf(address: string | null): string | null {
  return address === null ? null : address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
}
