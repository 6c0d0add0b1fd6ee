import type { CopiedRequest } from "../../src/engine/interchange/copied.ts";
import { copyAs } from "../../src/engine/interchange/copy-as.ts";
import { type ResentRequest, resentRequest } from "../../src/engine/interchange/resend.ts";
import type { CopiedAs } from "../../src/engine/messages/exchange-messages.ts";
import type { Command, FromEngine } from "../../src/engine/messages/messages.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { headerOf } from "../../src/engine/model/head.ts";
import type { Bytes, ExchangeId } from "../../src/engine/model/units.ts";
import { BodyReading } from "./body-reading.ts";
import { compressionEstimateOf } from "./compression-estimate.ts";
import type { ExportSource } from "./export-source.ts";
import { Exports } from "./exports.ts";
import { harPieces } from "./har-pieces.ts";
import { Searches } from "./search.ts";
import type { SessionReader } from "./storage/session-reader.ts";

/** messages.ts: a message is at most 1 MB. Our choice is half of it. */
const MOST_CHARACTERS = 500_000;

/** The commands that only read what was captured, in the session that the page shows. */
type Reading = Extract<
  Command,
  {
    readonly type:
      | "read-body"
      | "read-message"
      | "export"
      | "cancel-export"
      | "took-piece"
      | "copy-as"
      | "search"
      | "cancel-search"
      | "estimate-compression";
  }
>;

const READING: readonly Command["type"][] = [
  "read-body",
  "read-message",
  "export",
  "cancel-export",
  "took-piece",
  "copy-as",
  "search",
  "cancel-search",
  "estimate-compression",
] satisfies readonly Reading["type"][];

export function isReading(command: Command): command is Reading {
  return READING.includes(command.type);
}

/** Reads bodies, exports, copies, searches and estimates for pages. */
export class ReadingDesk {
  readonly #bodies = new BodyReading();
  readonly #exports = new Exports();
  readonly #searches = new Searches();

  /** Throws the sentence that refuses it. */
  async carryOut(command: Reading, source: ExportSource, send: (message: FromEngine) => void): Promise<unknown> {
    switch (command.type) {
      case "read-body": {
        const { exchange, side, form, from, count } = command;
        return this.#bodies.piece(readerOf(source), exchangeOf(source, exchange), side, form, from, count);
      }
      case "read-message":
        return this.#bodies.messagePiece(readerOf(source), command.exchange, command.index);
      case "export":
        return this.#exports.start(source, command, command.filter, command.redact, send);
      case "cancel-export":
        return this.#exports.cancel(command.exportNumber);
      case "took-piece":
        return this.#exports.goOn(command.exportNumber);
      case "copy-as":
        return copied(source, exchangeOf(source, command.exchange), command.form);
      case "search":
        return this.#searches.start(source, command.text, send);
      case "cancel-search":
        return this.#searches.cancel(command.searchNumber);
      case "estimate-compression":
        return compressionEstimateOf(readerOf(source), exchangeOf(source, command.exchange));
    }
  }

  /** The page that listened with `send` is gone: what it asked for is no longer wanted. */
  leave(send: (message: FromEngine) => void): void {
    this.#exports.leave(send);
    this.#searches.leave(send);
  }
}

async function copied(source: ExportSource, exchange: Exchange, form: CopiedAs): Promise<string> {
  if (form === "har") return harText(source, exchange);
  const text = copyAs(capturedRequest(readerOf(source), exchange), form);
  if (!text.ok) throw new Error(text.problem);
  return text.text;
}

/** The request as it was captured. Throws a sentence where its body is not kept any more. */
function capturedRequest(reader: SessionReader, exchange: Exchange): CopiedRequest {
  const { id, method, origin, target, protocol } = exchange;
  const head = reader.headsOf(id)?.request ?? "";
  const bodySize = exchange.outcome === null ? announcedSize(reader, id, head) : exchange.requestBodySize;
  const part = reader.readBody(id, "request", 0, bodySize);
  if (part.kind === "gone") throw new Error(`The request is not there any more: ${part.reason}.`);
  return { method, origin, target, protocol, head, body: part.bytes, bodySize };
}

/** Of a request in flight, whose size is told with its end. Throws a sentence where its head does not tell it. */
function announcedSize(reader: SessionReader, id: ExchangeId, head: string): Bytes {
  const length = headerOf(head, "content-length") ?? "";
  if (/^\d{1,15}$/.test(length)) return Number(length);
  if (headerOf(head, "transfer-encoding") === null && reader.keptOf(id, "request") === 0) return 0;
  throw new Error("This request may not have been sent whole yet. Wait for its answer.");
}

/** security.md S10 is about files; what is copied equals the exchange. */
async function harText(source: ExportSource, exchange: Exchange): Promise<string> {
  let text = "";
  for await (const piece of harPieces(source, [exchange], false)) {
    text += piece.text;
    if (text.length > MOST_CHARACTERS)
      throw new Error("This exchange is too long for the clipboard. Export it instead.");
  }
  return text;
}

/** Throws the sentence why it cannot be sent again. */
export function requestToResend(source: ExportSource, id: ExchangeId): ResentRequest {
  const request = resentRequest(capturedRequest(readerOf(source), exchangeOf(source, id)));
  if ("problem" in request) throw new Error(request.problem);
  return request;
}

function exchangeOf({ session }: ExportSource, id: ExchangeId): Exchange {
  const exchange = session.exchange(id);
  if (exchange === null) throw new Error("This exchange is not in the list any more.");
  return exchange;
}

function readerOf({ reader }: ExportSource): SessionReader {
  if (reader === null) throw new Error("Nothing has been captured yet.");
  return reader;
}
