import type { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import { CR, inField, isHeadByte, LF } from "./fields.ts";
import { type Refusal, refusal } from "./message.ts";

/**
 * The most empty lines that are ignored before a response. Some servers send one after a body, although RFC 9112, 2.2,
 * allows that for requests only.
 */
const EMPTY_LINES = 4;

/**
 * Collects the lines of a section like `StrictSection`, but leniently. Lines may end with a bare line feed (RFC 9112, 2.2),
 * and empty lines may come before them. A bare CR and control characters are refused.
 */
export class LooseSection {
  readonly #limit: number;
  readonly #startLineFault: (startLine: string) => Refusal | null;
  readonly #repairs: Set<Repair>;
  readonly #lines: string[] = [];
  #line = "";
  /** Whether `#line` ends with CR. Asking the text itself would copy the whole line after each piece. */
  #afterCr = false;
  #length = 0;
  #emptyLines = 0;
  #to = 0;

  /** As in `LooseGrammar`; `limit`: the most bytes. */
  constructor(limit: number, startLineFault: (startLine: string) => Refusal | null, repairs: Set<Repair>) {
    this.#limit = limit;
    this.#startLineFault = startLineFault;
    this.#repairs = repairs;
  }

  /** The offset at which the last `feed` stopped. */
  get to(): number {
    return this.#to;
  }

  /**
   * Returns all lines without their ends and without the final empty line; `null` if the section continues after
   * `bytes`.
   */
  feed(bytes: Buffer, from: number): readonly string[] | Refusal | null {
    let at = from;
    this.#to = from;
    while (at < bytes.length) {
      const feed = bytes.indexOf(LF, at);
      const end = feed === -1 ? bytes.length : feed + 1;
      this.#length += end - at;
      if (this.#length > this.#limit) return refusal(431, `more than ${this.#limit} bytes of header`);
      if (this.#isBad(bytes, at, end)) {
        const field = inField(this.#line + bytes.toString("latin1", at, end));
        return refusal(400, `a control character or a bare carriage return${field === "" ? " in a head" : field}`);
      }
      this.#line += bytes.toString("latin1", at, end);
      this.#afterCr = bytes[end - 1] === CR;
      at = end;
      this.#to = end;
      const verdict = feed === -1 ? null : this.#endLine();
      if (verdict !== null) return verdict;
    }
    return null;
  }

  #isBad(bytes: Buffer, from: number, end: number): boolean {
    let followsCr = this.#afterCr;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (!isHeadByte(byte) || (followsCr && byte !== LF)) return true;
      followsCr = byte === CR;
    }
    return false;
  }

  #endLine(): readonly string[] | Refusal | null {
    const isWhole = this.#line.endsWith("\r\n");
    const line = this.#line.slice(0, isWhole ? -2 : -1);
    this.#line = "";
    if (!isWhole) this.#repairs.add("repaired:bare-line-feed");
    if (line !== "") {
      this.#lines.push(line);
      return this.#lines.length === 1 ? this.#startLineFault(line) : null;
    }
    if (this.#lines.length > 0) return this.#lines;
    this.#repairs.add("repaired:empty-line-first");
    this.#emptyLines += 1;
    return this.#emptyLines > EMPTY_LINES ? refusal(400, `more than ${EMPTY_LINES} empty lines first`) : null;
  }
}
