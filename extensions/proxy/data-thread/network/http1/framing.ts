import { isToken } from "./characters.ts";
import { withoutBlanks } from "./fields.ts";
import { type Framing, type HeaderLine, type Refusal, refusal } from "./message.ts";

const NONE: Framing = Object.freeze({ kind: "none" });
const CHUNKED: Framing = Object.freeze({ kind: "chunked" });
const UNTIL_CLOSE: Framing = Object.freeze({ kind: "until-close" });

type Version = "1.0" | "1.1";
type Lines = readonly HeaderLine[];

/** The framing of a request (RFC 9112, 6.3): without a declared length there is no body. */
export function requestFraming(method: string, version: Version, notable: Lines): Framing | Refusal {
  const declared = declaredFraming(version, notable) ?? NONE;
  if (method !== "CONNECT" || declared.kind === "refused") return declared;
  // RFC 9110, 9.3.6: bytes after CONNECT belong to the tunnel.
  return isEmpty(declared) ? NONE : refusal(400, "a CONNECT request with a body");
}

/**
 * The framing of a response to `method` (RFC 9112, 6.3): without a declared length the body ends with the connection.
 * A success of CONNECT has none, whatever it declares (RFC 9110, 9.3.6); of its failures, Weir reads no body.
 */
export function responseFraming(method: string, status: number, version: Version, notable: Lines): Framing | Refusal {
  const isFinalToConnect = method === "CONNECT" && status >= 200;
  if (isFinalToConnect && status < 300) return NONE;
  const declared = declaredFraming(version, notable) ?? UNTIL_CLOSE;
  if (declared.kind === "refused") return isFinalToConnect ? UNTIL_CLOSE : declared;
  if (status < 200) return mayBeInterim(declared) ? NONE : refusal(400, `a body declared on a ${status} response`);
  return method === "HEAD" || status === 204 || status === 304 ? NONE : declared;
}

/**
 * The framing that Content-Length and Transfer-Encoding declare; `null` without either. Refuses what parsers may read
 * differently.
 */
function declaredFraming(version: Version, notable: Lines): Framing | Refusal | null {
  let length: string | null = null;
  let coding: string | null = null;
  for (const { name, value, raw } of notable) {
    if (name === "content-length") {
      if (length !== null) return refusal(400, "more than one Content-Length");
      length = value;
    }
    if (name === "transfer-encoding") {
      if (coding !== null) return refusal(400, "more than one Transfer-Encoding");
      // Refused although RFC 9110, 5.6.3, allows it: llhttp reads the tab as part of the coding's name. Such
      // differences between parsers make smuggling possible.
      if (raw.includes("\t")) return refusal(400, "a Transfer-Encoding with a tab");
      coding = value;
    }
  }
  if (coding === null) return length === null ? null : lengthFraming(length);
  if (length !== null) return refusal(400, "Content-Length together with Transfer-Encoding"); // RFC 9112, 6.3, 3
  if (version === "1.0") return refusal(400, "Transfer-Encoding in HTTP/1.0"); // RFC 9112, 6.1
  return codingFraming(coding);
}

function lengthFraming(value: string): Framing | Refusal {
  if (!/^\d+$/.test(value)) return refusal(400, "a Content-Length that is not one number");
  const length = Number(value);
  if (!Number.isSafeInteger(length)) return refusal(400, "a Content-Length that is too large");
  return { kind: "length", length };
}

function codingFraming(value: string): Framing | Refusal {
  const lower = value.toLowerCase();
  if (lower === "chunked") return CHUNKED;
  const codings = lower.split(",").map(withoutBlanks);
  if (!codings.every(isToken)) return refusal(400, "a Transfer-Encoding that is not a list of codings");
  if (codings.slice(0, -1).includes("chunked"))
    return refusal(400, "a Transfer-Encoding with chunked before the last coding");
  return refusal(501, "a transfer coding other than chunked"); // RFC 9112, 6.1
}

/** Whether the framing means that there is no body. */
export function isEmpty(framing: Framing): boolean {
  return framing.kind === "none" || (framing.kind === "length" && framing.length === 0);
}

/**
 * Whether an interim response may have this framing: none declared, or the `Content-Length: 0` that some servers send
 * with a 101.
 */
function mayBeInterim(framing: Framing): boolean {
  return framing.kind === "until-close" || isEmpty(framing);
}
