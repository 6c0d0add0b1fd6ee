import type { Buffer } from "node:buffer";
import { type Fields, fieldsOf } from "./fields.ts";
import { responseFraming } from "./framing.ts";
import type { Limits } from "./limits.ts";
import type { Framing, ResponseHead } from "./message.ts";
import { ParsedHead } from "./parsed-head.ts";
import type { Refusal } from "./refusal.ts";
import { type StatusLine, statusLineOf } from "./status-line.ts";

class ParsedResponse extends ParsedHead implements ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly #isDoubtful: boolean;

  constructor(text: string, line: StatusLine, fields: Fields, framing: Framing, isDoubtful: boolean) {
    super(text, line.version, fields, framing);
    this.status = line.status;
    this.reason = line.reason;
    this.#isDoubtful = isDoubtful;
  }

  /**
   * Whether the connection can carry another response. False after a body that only the connection's end delimits. Also
   * false after a 204 that declares a body, because the body may follow.
   */
  override get keepAlive(): boolean {
    if (this.#isDoubtful || !super.keepAlive) return false;
    return this.framing.kind !== "until-close" && !(this.status === 204 && this.declaresBody);
  }

  private get declaresBody(): boolean {
    return this.notable.some(
      ({ name, value }) => name === "transfer-encoding" || (name === "content-length" && Number(value) > 0),
    );
  }
}

/**
 * Parses the whole head of a response to `method`, with its final empty line. `isDoubtful`: after a repair of framing,
 * the message may end elsewhere (RFC 9112, 6.3), so the connection must not be used again.
 */
export function responseHeadOf(
  bytes: Buffer,
  method: string,
  limits: Limits,
  isDoubtful = false,
): { kind: "head"; head: ResponseHead } | Refusal {
  const text = bytes.toString("latin1");
  const line = statusLineOf(bytes, text);
  if (line.kind === "refused") return line;
  const fields = fieldsOf(bytes, text, line.end, limits);
  if (fields.kind === "refused") return fields;
  const framing = responseFraming(method, line.status, line.version, fields.notable);
  if (framing.kind === "refused") return framing;
  return { kind: "head", head: new ParsedResponse(text, line, fields, framing, isDoubtful) };
}
