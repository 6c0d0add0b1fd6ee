import type { ContentReader } from "../capture/content-reader.ts";
import { HAR_SEPARATOR, type HarPage, type HarSource, harEnd, harEntry, harStart } from "../interchange/har.ts";
import type { HarBody } from "../interchange/har-bodies.ts";
import type { Initiator } from "../interchange/har-fields.ts";
import { urlOf } from "../interchange/url.ts";
import { withWholeTarget } from "../interchange/whole-target.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Bytes, ExchangeId, Instant } from "../model/units.ts";
import type { Session } from "../session/session.ts";
import type { ExchangeTable } from "../session/table/exchange-table.ts";
import { annotationIn, checkOpen, type ExportSource, type Piece, progressOf } from "./export-source.ts";
import { linkedFactsOf } from "./linked-facts.ts";
import type { Between } from "./linked-session.ts";
import { isStoredDecoded, type StoredBody, storedBodyOf } from "./stored-body.ts";

/** The page loads of a session, and the id of each exchange's page. */
interface HarPages {
  readonly pages: readonly HarPage[];
  readonly idOf: (exchange: ExchangeId) => string | null;
}

const NO_PAGES: HarPages = Object.freeze({ pages: [], idOf: () => null });

/**
 * The page loads in the order of the rows. A page that a HAR file describes keeps its id; of a captured page, each
 * request for its document is a load of its own, with the title that the document gives, and without moments of the
 * load.
 */
export function harPagesOf({ table }: Session): HarPages {
  const pages: HarPage[] = [];
  const latest = new Map<string, number>();
  const { firstRow, nextRow } = table;
  /** By row from `firstRow`, the number of its page; 0 for none. */
  const ofRows = new Uint32Array(nextRow - firstRow);
  for (let row = firstRow; row < nextRow; row += 1) {
    const name = table.page.at(row);
    if (name === null) continue;
    const described = table.describedPages.get(name);
    const tags = table.tagsAt(row);
    const inFile = tags.includes("imported") ? described : undefined;
    const key = inFile === undefined ? `${table.clientAt(row)} ${name}` : name;
    const url = urlOf({ origin: table.originAt(row), target: table.targetAt(row), tags });
    const isDocument = inFile === undefined && url === name;
    let number = isDocument ? undefined : latest.get(key);
    if (number === undefined) {
      const { page: id = newIdOf(pages.length + 1, table), marks = NO_MARKS } = inFile ?? {};
      const title = described?.title ?? name;
      number = pages.push({ id, title, marks, at: inFile?.at ?? (table.instants.startAt(row) as Instant) });
      latest.set(key, number);
    }
    ofRows[row - firstRow] = number;
  }
  const idOf = (exchange: ExchangeId) => {
    const row = table.rowOf(exchange);
    return row === null ? null : (pages[(ofRows[row - firstRow] ?? 0) - 1]?.id ?? null);
  };
  return Object.freeze({ pages, idOf });
}

const NO_MARKS: HarPage["marks"] = new Map();

/** An id that no page of the file has. */
function newIdOf(number: number, { describedPages }: ExchangeTable): string {
  let id = `page_${number}`;
  while (describedPages.has(id)) id += "_";
  return id;
}

/** What an export of a whole session says besides its exchanges: which caused which, and their pages. */
export interface HarContext {
  readonly causes: ReadonlyMap<ExchangeId, Initiator>;
  readonly pages: HarPages;
}

const NO_CONTEXT: HarContext = Object.freeze({ causes: new Map(), pages: NO_PAGES });

/** What the export of a whole session says. `pause`: lets other work run. */
export async function harContextOf(source: ExportSource, pause: Between): Promise<HarContext> {
  const paused = () => {
    checkOpen(source);
    return pause();
  };
  return { causes: await initiatorsOf(source, paused), pages: harPagesOf(source.session) };
}

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
  if (body === null) return { bytes: new Uint8Array(0), cutAt: size === 0 ? null : 0, problem: null };
  return { bytes: body.bytes, cutAt: body.kept >= size ? null : body.kept, problem: body.problem };
}

function* messagesOf(
  reader: ContentReader,
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

/**
 * The page, script or style sheet that was proven to cause a request, by that request. Without it, its body would have
 * to be read again, which a redacted export leaves out. `pause`: lets other work run.
 */
export async function initiatorsOf(source: ExportSource, pause: Between): Promise<ReadonlyMap<ExchangeId, Initiator>> {
  const { session, reader, settings } = source;
  const found = new Map<ExchangeId, Initiator>();
  if (reader === null || !holdsDocuments(source)) return found;
  const { links, facts } = await linkedFactsOf(session, reader, settings.chainGap, pause);
  const byId = new Map(facts.map(({ exchange }) => [exchange.id, exchange]));
  for (const { from, to, basis } of links) {
    const cause = byId.get(from);
    if (basis !== "initiator" || cause === undefined) continue;
    found.set(to, { url: urlOf(cause), isScript: /javascript|ecmascript/.test(cause.contentType ?? "") });
  }
  return found;
}

function holdsDocuments({ session: { table } }: ExportSource): boolean {
  for (let row = table.firstRow; row < table.nextRow; row += 1)
    if (/html|javascript|ecmascript|css|svg/.test(table.contentTypeAt(row) ?? "")) return true;
  return false;
}
