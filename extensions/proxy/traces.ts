import { createHash } from "node:crypto";
import type { Side } from "../../src/engine/capture/event.ts";
import type { Traces } from "../../src/engine/insights/dependency-chains.ts";
import { valuesOf, wordsOf } from "../../src/engine/insights/evidence.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { headerOf } from "../../src/engine/model/head.ts";
import type { Bytes } from "../../src/engine/model/units.ts";
import { decodeBody } from "./body-decoding.ts";
import type { SessionReader } from "./storage/session-reader.ts";
import { codingOf, isStoredDecoded } from "./stored-body.ts";

/** Our choice: bytes of a body, as transferred, in which a proof is looked for. */
const READ: Bytes = 64 * 1024;

/** Our choice: larger request bodies are not compared. */
const COMPARED: Bytes = 1024 * 1024;

/** What was said in an exchange, for proofs of chains. Reads from disk, and never on the thread that moves bytes. */
export async function tracesOf(reader: SessionReader, exchange: Exchange): Promise<Traces> {
  const { id, origin, target, requestBodySize, encodedBodySize } = exchange;
  const heads = reader.headsOf(id) ?? { request: "", response: null };
  const [asked, given] = await Promise.all([
    requestBodySize === 0 ? "" : textOf(reader, exchange, "request", heads.request),
    encodedBodySize === 0 && !isStoredDecoded(exchange)
      ? ""
      : textOf(reader, exchange, "response", heads.response ?? ""),
  ]);
  const words = wordsOf({ origin, target, head: heads.request, body: asked });
  return { words, values: valuesOf({ head: heads.response ?? "", body: given }, words) };
}

/** Tells request bodies apart; `null` where a body was not kept whole, or is too large to compare. */
export function bodyKeyOf(reader: SessionReader, { id, requestBodySize, outcome }: Exchange): string | null {
  if (outcome === null) return hasBody(reader.headsOf(id)?.request ?? "") ? null : "";
  if (requestBodySize > COMPARED) return null;
  const part = reader.readBody(id, "request", 0, requestBodySize);
  if (part.kind === "gone" || part.bytes.length < requestBodySize) return null;
  return createHash("sha1").update(part.bytes).digest("base64");
}

/** RFC 9112, 6: whether a request's head announces a body. */
function hasBody(head: string): boolean {
  return (headerOf(head, "content-length") ?? "0") !== "0" || headerOf(head, "transfer-encoding") !== null;
}

/** The beginning of a body that is text; "" of any other. */
async function textOf(reader: SessionReader, exchange: Exchange, side: Side, head: string): Promise<string> {
  if (!/json|text|xml|javascript|form-urlencoded/i.test(headerOf(head, "content-type") ?? "")) return "";
  const part = reader.readBody(exchange.id, side, 0, READ);
  if (part.kind === "gone") return "";
  const decoded = await decodeBody(part.bytes, codingOf(exchange, head));
  return decoded.bytes.toString("utf8");
}
