import type { Buffer } from "node:buffer";
import { isAuthority } from "./authority.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { requestFraming } from "./framing.ts";
import type { Limits } from "./limits.ts";
import type { Framing, HeaderLine, RequestHead } from "./message.ts";
import { ParsedHead } from "./parsed-head.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { type RequestLine, requestLineOf } from "./request-line.ts";
import { upgradesIn } from "./upgrades.ts";

class ParsedRequest extends ParsedHead implements RequestHead {
  readonly method: string;
  readonly target: string;
  readonly host: string | null;

  constructor(text: string, line: RequestLine, fields: Fields, framing: Framing, host: string | null) {
    super(text, line.version, fields, framing);
    this.method = line.method;
    this.target = line.target;
    this.host = host;
  }

  /** Whether the client expects 100 Continue. In HTTP/1.0, Expect has no meaning (RFC 9110, 10.1.1). */
  get expectContinue(): boolean {
    return this.version === "1.1" && valueNamed(this.notable, "expect")?.toLowerCase() === "100-continue";
  }

  /**
   * The protocols of a requested upgrade, in lower case; else `null`. Upgrade is valid only if Connection names it, and
   * not in HTTP/1.0 (RFC 9110, 7.8).
   */
  get upgrade(): string | null {
    if (this.version === "1.0" || !this.options.includes("upgrade")) return null;
    const asked = this.notable.map((line) => (line.name === "upgrade" ? upgradesIn(line.value) : "")).filter(Boolean);
    return asked.length === 0 ? null : asked.join(", ").toLowerCase();
  }
}

/** Parses a whole request head, with its final empty line. */
export function requestHeadOf(bytes: Buffer, limits: Limits): { kind: "head"; head: RequestHead } | Refusal {
  const text = bytes.toString("latin1");
  const line = requestLineOf(bytes, text);
  if (line.kind === "refused") return line;
  const fields = fieldsOf(bytes, text, line.end, limits);
  if (fields.kind === "refused") return fields;
  const framing = requestFraming(line.method, line.version, fields.notable);
  if (framing.kind === "refused") return framing;
  const host = hostOf(line.version, fields.notable);
  if (typeof host === "object" && host !== null) return host;
  return { kind: "head", head: new ParsedRequest(text, line, fields, framing, host) };
}

/**
 * The value of Host. RFC 9112, 3.2, requires exactly one valid Host in HTTP/1.1, and allows at most one in HTTP/1.0.
 */
function hostOf(version: "1.0" | "1.1", notable: readonly HeaderLine[]): string | null | Refusal {
  let host: string | null = null;
  for (const line of notable) {
    if (line.name !== "host") continue;
    if (host !== null) return refusal(400, "more than one Host");
    host = line.value;
  }
  if (host === null) return version === "1.0" ? null : refusal(400, "no Host");
  return isAuthority(host) ? host : refusal(400, "a Host that is not one host with an optional port");
}

function valueNamed(notable: readonly HeaderLine[], name: string): string | null {
  return notable.find((line) => line.name === name)?.value ?? null;
}
