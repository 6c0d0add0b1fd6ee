import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import { CR, type Fields, fieldsOf, LF, SPACE, textEnd } from "./fields.ts";
import {
  type Framing,
  type HeadEvent,
  type Limits,
  type Refusal,
  type ResponseEvent,
  type ResponseHead,
  refusal,
} from "./message.ts";
import { MessageReader, responseFraming } from "./message-reader.ts";
import { ParsedHead } from "./parsed-head.ts";
import { FRAMING_REPAIRS, repairedHead, repairedStatusLine } from "./repairs.ts";
import type { LooseGrammar, SectionGrammar } from "./section-reader.ts";

/**
 * Parses the responses of one connection, each after `expect`. Unexpected bytes stay in `rest`.
 *
 *   expect → head(1xx) → end → … → head → body* → end      101 is final: `rest` has the other protocol
 */
export class ResponseReader extends MessageReader<ResponseHead> {
  readonly #grammar: ResponseGrammar;
  #isInterim = false;

  constructor(limits: Limits) {
    const grammar = new ResponseGrammar(limits);
    super(limits, 0, grammar);
    this.#grammar = grammar;
  }

  /** Repairs made to the latest response and to the interim responses before it. */
  get repairs(): ReadonlySet<Repair> {
    return this.#grammar.loose.repairs;
  }

  /**
   * Declares that a request with `method` was sent, and that its response comes next. HEAD and CONNECT change the
   * meaning of length fields.
   */
  expect(method: string): void {
    this.#grammar.method = method;
    this.#grammar.loose.repairs.clear();
  }

  override next(): ResponseEvent | null {
    if (this.#grammar.method === null) return null;
    const event = super.next();
    if (event?.kind === "head") this.#isInterim = event.head.status < 200 && event.head.status !== 101;
    if (event?.kind === "end" && !this.#isInterim) this.#grammar.method = null;
    return event;
  }
}

class ResponseGrammar implements SectionGrammar<HeadEvent<ResponseHead>> {
  /** The method of the request whose response comes next; `null` if there is none. */
  method: string | null = null;
  readonly loose: LooseGrammar<HeadEvent<ResponseHead>>;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
    const repairs = new Set<Repair>();
    this.loose = {
      repairs,
      startLineFault: (startLine) =>
        this.startLineFault(Buffer.from(`${repairedStatusLine(startLine, new Set())}\r\n`, "latin1")),
      read: (lines) => {
        const section = repairedHead(lines, repairs);
        return this.read(
          section,
          FRAMING_REPAIRS.some((repair) => repairs.has(repair)),
        );
      },
    };
  }

  startLineFault(startLine: Buffer): Refusal | null {
    const line = statusLineOf(startLine, startLine.toString("latin1"));
    return line.kind === "refused" ? line : null;
  }

  read(section: Buffer, isDoubtful = false): HeadEvent<ResponseHead> | Refusal {
    return responseHeadOf(section, this.method ?? "", this.#limits, isDoubtful);
  }
}

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
): HeadEvent<ResponseHead> | Refusal {
  const text = bytes.toString("latin1");
  const line = statusLineOf(bytes, text);
  if (line.kind === "refused") return line;
  const fields = fieldsOf(bytes, text, line.end, limits);
  if (fields.kind === "refused") return fields;
  const framing = responseFraming(method, line.status, line.version, fields.notable);
  if (framing.kind === "refused") return framing;
  return { kind: "head", head: new ParsedResponse(text, line, fields, framing, isDoubtful) };
}

interface StatusLine {
  readonly kind: "status-line";
  readonly version: "1.0" | "1.1";
  readonly status: number;
  readonly reason: string;
  /** The offset of the next line. */
  readonly end: number;
}

const STATUS_AT = "HTTP/1.1 ".length;
const REASON_AT = "HTTP/1.1 200".length;

/**
 * Parses `version SP status [SP reason] CRLF` at the start of a section (RFC 9112, 4). Some servers leave out the last
 * space.
 */
function statusLineOf(bytes: Uint8Array, text: string): StatusLine | Refusal {
  const version = versionOf(text);
  if (typeof version !== "string") return version;
  const digits = text.slice(STATUS_AT, REASON_AT);
  if (!/^\d\d\d$/.test(digits)) return refusal(400, "the status line has no status of three digits");
  const status = Number(digits);
  if (status < 100 || status > 599) return refusal(400, `the status ${digits} is outside 100 to 599`); // RFC 9110, 15
  const end = bytes[REASON_AT] === SPACE ? textEnd(bytes, REASON_AT + 1) : REASON_AT;
  if (bytes[end] !== CR || bytes[end + 1] !== LF) {
    return refusal(400, "the status line does not end after its reason");
  }
  return { kind: "status-line", version, status, reason: text.slice(REASON_AT + 1, end), end: end + 2 };
}

function versionOf(text: string): "1.0" | "1.1" | Refusal {
  if (text.startsWith("HTTP/1.1 ")) return "1.1";
  if (text.startsWith("HTTP/1.0 ")) return "1.0";
  if (/^HTTP\/\d\.\d /.test(text)) return refusal(505, "an HTTP version that is neither 1.0 nor 1.1");
  return refusal(400, "the status line does not start with an HTTP version");
}
