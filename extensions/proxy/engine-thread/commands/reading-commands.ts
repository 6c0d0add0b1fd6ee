import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { ContentReader } from "../../../../src/engine/capture/content-reader.ts";
import type { ModelCall } from "../../../../src/engine/insights/models/read-call.ts";
import { isShrinkable } from "../../../../src/engine/insights/payload.ts";
import type { CopiedRequest } from "../../../../src/engine/interchange/copied-request.ts";
import { copyAs } from "../../../../src/engine/interchange/copy-as.ts";
import { type ResentRequest, resentRequest } from "../../../../src/engine/interchange/resend.ts";
import { withWholeTarget } from "../../../../src/engine/interchange/whole-target.ts";
import type { CopiedAs, ModelCallRecord } from "../../../../src/engine/messages/exchange-messages.ts";
import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { CompressionEstimate } from "../../../../src/engine/messages/payload-messages.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { headerOf } from "../../../../src/engine/model/head.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import type { Bytes, ExchangeId } from "../../../../src/engine/model/units.ts";
import { latin1OfText } from "../../../../src/engine/quoting/utf8.ts";
import type { ExportSource } from "../../../../src/engine/report/export-source.ts";
import { harPieces } from "../../../../src/engine/report/har-pieces.ts";
import { readModelCall } from "../../../../src/engine/report/model-call.ts";
import { BodyReading } from "../recording/body-reading.ts";
import { type AnalysedSource, AnalysisWork } from "./analysis-work.ts";
import type { Handlers } from "./execute.ts";
import { pickedIn, type ShownSession } from "./shown-session.ts";

/** The most characters of an exchange that is copied as HAR. A message may have 1 MB (messages.ts). */
const MOST_CHARACTERS = 500_000;

/** The most requests that are copied at once, because each is read from the disk. */
const MOST_TOGETHER = 200;

type CopyPicked = Extract<Command, { readonly type: "copy-picked" }>;

type Reading =
  | "read-body"
  | "read-message"
  | "read-model-call"
  | "export"
  | "cancel-export"
  | "took-piece"
  | "copy-as"
  | "copy-picked"
  | "search"
  | "cancel-search"
  | "estimate-compression";

/** Executes commands that only read the session that the UI client shows. */
export class ReadingCommands {
  readonly handlers: Handlers<Reading>;
  readonly #bodies = new BodyReading();
  readonly #work = new AnalysisWork();

  /** `sourceOf`: returns the source from which the shown session is read. */
  constructor(sourceOf: (shown: ShownSession) => AnalysedSource) {
    this.handlers = {
      "read-body": ({ exchange, side, form, from, count }, { shown }) => {
        const source = sourceOf(shown);
        return this.#bodies.piece(readerOf(source), exchangeOf(source, exchange), side, form, from, count);
      },
      "read-message": ({ exchange, index }, { shown }) =>
        this.#bodies.messagePiece(readerOf(sourceOf(shown)), exchange, index),
      "read-model-call": async ({ exchange }, { shown }) => {
        const source = sourceOf(shown);
        return recordOf(await readModelCall(readerOf(source), exchangeOf(source, exchange)));
      },
      export: (command, { shown, send }) => this.#work.export(sourceOf(shown), command, send),
      "cancel-export": ({ exportNumber }) => this.#work.cancel(exportNumber),
      "took-piece": ({ exportNumber }) => this.#work.acknowledge(exportNumber),
      "copy-as": ({ exchange, form }, { shown }) => {
        const source = sourceOf(shown);
        return copied(source, exchangeOf(source, exchange), form);
      },
      "copy-picked": async (command, { shown }) =>
        copiedTogether(sourceOf(shown), command.form, await pickedIn(sourceOf, shown, command)),
      search: ({ text }, { shown, send }) => this.#work.search(sourceOf(shown), text, send),
      "cancel-search": ({ searchNumber }) => this.#work.cancel(searchNumber),
      "estimate-compression": ({ exchange }, { shown }) => {
        const source = sourceOf(shown);
        return compressionEstimateOf(readerOf(source), exchangeOf(source, exchange));
      },
    };
  }

  /**
   * Cancels the exports and searches of a UI client that has disconnected. `send`: the function that sends to that UI
   * client.
   */
  cancelFor(send: (message: FromEngine) => void): void {
    this.#work.cancelFor(send);
  }
}

/** The requests of these exchanges as one text. Throws a sentence if there are too many, or one has no copy. */
async function copiedTogether(
  source: ExportSource,
  form: CopyPicked["form"],
  ids: readonly ExchangeId[],
): Promise<string> {
  if (ids.length === 0) throw new Error("These exchanges are no longer in the list.");
  if (ids.length > MOST_TOGETHER)
    throw new Error(`At most ${MOST_TOGETHER} requests can be copied at once. Select fewer, or export them.`);
  const exchanges = ids.map((id) => exchangeOf(source, id));
  if (form === "har") return harText(source, exchanges);
  const texts: string[] = [];
  for (const exchange of exchanges)
    texts.push(form === "url" ? addressOf(source, exchange) : await copied(source, exchange, form));
  const text = texts.join(form === "url" ? "\n" : "\n\n");
  if (text.length > MOST_CHARACTERS) throw new Error("These requests are too long for the clipboard. Select fewer.");
  return text;
}

function addressOf({ reader }: ExportSource, exchange: Exchange): string {
  const { origin, target } = withWholeTarget(exchange, reader?.headsOf(exchange.id) ?? null);
  return /^[/*]/.test(target) ? origin + target : target;
}

async function copied(source: ExportSource, exchange: Exchange, form: CopiedAs): Promise<string> {
  if (form === "har") return harText(source, [exchange]);
  return unwrap(copyAs(capturedRequest(readerOf(source), exchange), form));
}

/** The request as captured. Throws a sentence if its body cannot be read. */
function capturedRequest(reader: ContentReader, exchange: Exchange): CopiedRequest {
  const { id, method, origin, protocol } = exchange;
  const heads = reader.headsOf(id);
  const head = heads?.request ?? "";
  const { target } = withWholeTarget(exchange, heads);
  const bodySize = exchange.outcome === null ? announcedSize(reader, id, head) : exchange.requestBodySize;
  const part = reader.readBody(id, "request", 0, bodySize);
  if (!part.ok) throw new Error(`The request's body cannot be read: ${part.problem}.`);
  return { method, origin, target: latin1OfText(target), protocol, head, body: part.value, bodySize };
}

/** The body size of a request in flight, from its head. Throws a sentence if the head does not declare the size. */
function announcedSize(reader: ContentReader, id: ExchangeId, head: string): Bytes {
  const length = headerOf(head, "content-length") ?? "";
  if (/^\d{1,15}$/.test(length)) return Number(length);
  if (headerOf(head, "transfer-encoding") === null && reader.keptOf(id, "request") === 0) return 0;
  throw new Error("This request may not be sent completely yet. Wait for its response.");
}

/**
 * The exchanges as HAR for the clipboard, with its secrets: docs/security.md S10 is only about files. Throws a sentence
 * if the text is too long.
 */
async function harText(source: ExportSource, exchanges: readonly Exchange[]): Promise<string> {
  let text = "";
  for await (const piece of harPieces(source, exchanges, false)) {
    text += piece.text;
    if (text.length > MOST_CHARACTERS) throw new Error("This is too long for the clipboard. Export it instead.");
  }
  return text;
}

/** The request to be sent again. Throws a sentence if it cannot be sent again. */
export function requestToResend(source: ExportSource, id: ExchangeId): ResentRequest {
  return unwrap(resentRequest(capturedRequest(readerOf(source), exchangeOf(source, id))));
}

function recordOf(call: ModelCall | null): ModelCallRecord | null {
  if (call === null) return null;
  const { api: _, tokens: _tokens, usualPause: _pause, prompt: _prompt, buffered, stalls, ...record } = call;
  return { ...record, stalls: stalls.length, buffered: buffered?.certainty ?? null };
}

/** The exchange with this id. Throws a sentence if it was evicted. */
export function exchangeOf({ session }: ExportSource, id: ExchangeId): Exchange {
  const exchange = session.exchange(id);
  if (exchange === null) throw new Error("This exchange is no longer in the list.");
  return exchange;
}

function readerOf({ reader }: ExportSource): ContentReader {
  if (reader === null) throw new Error("Nothing has been captured yet.");
  return reader;
}

/** The largest body that is estimated. Equals the default cap of a stored body. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The usual levels for responses compressed on the fly. */
const GZIP_LEVEL = 6;
const BROTLI_QUALITY = 5;
const ZSTD_LEVEL = 3;

/**
 * Compresses an uncompressed text response with gzip, br and zstd on libuv's threads, and returns the sizes. Throws a
 * sentence if the body cannot be estimated.
 */
export async function compressionEstimateOf(reader: ContentReader, exchange: Exchange): Promise<CompressionEstimate> {
  const { id, encodedBodySize: size } = exchange;
  if (!isShrinkable(exchange))
    throw new Error("Compression is estimated only for an uncompressed text response over 1 KB.");
  if (size > MOST_BYTES) throw new Error("This response is too large for a compression estimate.");
  const part = await reader.readBodyInTurns(id, "response", size);
  if (!part.ok) throw new Error(`The response's body cannot be read: ${part.problem}.`);
  if (part.value.length < size) throw new Error("The response's body was not kept completely.");
  const [gzipped, brotlied, zstded] = await Promise.all([
    promisify(gzip)(part.value, { level: GZIP_LEVEL }),
    promisify(brotliCompress)(part.value, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(zstdCompress)(part.value, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }),
  ]);
  return { size, gzip: gzipped.length, br: brotlied.length, zstd: zstded.length };
}
