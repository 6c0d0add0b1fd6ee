import { bytesPhrase } from "../../format/bytes.ts";
import type { Body } from "../../state/bodies.ts";
import type { BodyDocument } from "./body-editor.ts";
import { type BodyMode, decoderFor, isWhole, languageNameOf, WHOLE_BYTES } from "./body-kind.ts";
import { HEX_LINE, hexLinesOf, hexOffset } from "./hex-lines.ts";
import { multipartLinesOf } from "./multipart-lines.ts";
import { type PrettyJson, prettyJsonOf } from "./pretty-json.ts";
import { linesOf, TextPieces } from "./text-pieces.ts";

/** Why a whole body is shown as received. */
const AS_SENT: Readonly<Partial<Record<BodyMode, string>>> = {
  pretty: "Not a complete JSON document, or nested too deeply. Shown as received.",
  parts: "No part begins with the boundary that its Content-Type names. Shown as received.",
};

/** The part of a body that the editor shows, extended step by step. */
export class RenderedBody {
  readonly #body: Body;
  readonly #mode: BodyMode;
  readonly #contentType: string | null;
  /** Decodes bytes; `null` for the hex view. */
  readonly #pieces: TextPieces | null;
  #length = 0;
  #isArranged = false;

  constructor(body: Body, mode: BodyMode, contentType: string | null) {
    this.#body = body;
    this.#mode = mode;
    this.#contentType = contentType;
    this.#pieces = mode === "hex" ? null : new TextPieces(decoderFor(contentType));
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  get isWhole(): boolean {
    return this.#body.whole && this.#length === this.#body.bytes.length;
  }

  /** The problem to show, as text; empty without one. */
  get problem(): string {
    if (this.isWhole) {
      const isAsSent = isWhole(this.#mode) && !this.#isArranged;
      return this.#body.problem ?? (isAsSent ? (AS_SENT[this.#mode] ?? "") : "");
    }
    const undone = this.#mode === "parts" ? "shown in parts" : "indented";
    const size = isWhole(this.#mode) ? `More than ${bytesPhrase(WHOLE_BYTES)} are not ${undone}. ` : "";
    return `${size}The first ${bytesPhrase(this.#length)} are shown; scroll for more.`;
  }

  /** All bytes received. `isSame`: the body was already shown, so the scroll position stays. */
  document(isSame: boolean): BodyDocument {
    const lines = this.#next();
    const plain = { lines, folds: [], numberOf: String, language: languageNameOf(this.#contentType), isSame };
    if (this.#pieces === null) return { ...plain, numberOf: hexOffset, language: null };
    const arranged = isWhole(this.#mode) && this.isWhole ? this.#arranged(lines) : null;
    this.#isArranged = arranged !== null;
    return arranged === null ? plain : { ...plain, ...arranged };
  }

  /** The whole body in its mode; `null` if its content does not match its type. */
  #arranged(lines: readonly string[]): PrettyJson | null {
    if (this.#mode !== "parts") return prettyJsonOf(lines.join("\n"));
    const parts = multipartLinesOf(this.#body.bytes, this.#contentType);
    return parts === null ? null : { lines: parts, folds: [] };
  }

  /**
   * Loads another `step` bytes and returns the added lines, the first of which continues the last one. `null` if
   * nothing arrived.
   */
  async more(step: number): Promise<readonly string[] | null> {
    const before = this.#length;
    await this.#body.load(this.#body.bytes.length + step);
    const lines = this.#next();
    if (this.#length === before) return null;
    return this.#pieces === null ? ["", ...lines] : lines;
  }

  #next(): readonly string[] {
    const { bytes, whole } = this.#body;
    // The hex view gets whole lines, except for the last.
    const end = this.#pieces === null && !whole ? bytes.length - (bytes.length % HEX_LINE) : bytes.length;
    const added = bytes.subarray(this.#length, end);
    this.#length = end;
    return this.#pieces === null ? hexLinesOf(added) : linesOf(this.#pieces.next(added, whole));
  }
}
