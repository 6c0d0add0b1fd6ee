import { bytesPhrase } from "../../format/bytes.ts";
import type { Body } from "../../state/bodies.ts";
import type { Steps } from "../../state/in-slices.ts";
import type { BodyDocument } from "./body-editor.ts";
import { type BodyMode, decoderFor, isWhole, languageNameOf, WHOLE_BYTES } from "./body-kind.ts";
import { HEX_LINE, hexLinesOf, hexOffset } from "./hex-lines.ts";
import { multipartLinesOf } from "./multipart-lines.ts";
import { type PrettyJson, prettyJsonSteps } from "./pretty-json.ts";
import { decodedSteps, linesOf, TextPieces } from "./text-pieces.ts";

/** Why a body that arrived whole is shown as received. */
const AS_SENT: Readonly<Partial<Record<BodyMode, string>>> = {
  pretty: "This body is not a complete JSON document, or is nested too deeply. It is shown as received.",
  parts: "No part begins with the boundary from Content-Type. The body is shown as received.",
};

/** The part of a body that the editor shows; the part can be extended. */
export class RenderedBody {
  readonly #body: Body;
  readonly #mode: BodyMode;
  readonly #contentType: string | null;
  /** Decodes bytes to text; `null` in the hex view. */
  readonly #pieces: TextPieces | null;
  #length = 0;
  #isArranged = false;

  constructor(body: Body, mode: BodyMode, contentType: string | null) {
    this.#body = body;
    this.#mode = mode;
    this.#contentType = contentType;
    this.#pieces = mode === "hex" ? null : new TextPieces(decoderFor(contentType));
  }

  /** The length of the shown part, in bytes. */
  get length(): number {
    return this.#length;
  }

  get isWhole(): boolean {
    return this.#body.whole && this.#length === this.#body.bytes.length;
  }

  /** The problem to show, as text; empty if there is none. */
  get problem(): string {
    const { problem, whole } = this.#body;
    const isAsSent = isWhole(this.#mode) && whole && !this.#isArranged;
    const asSent = isAsSent ? (AS_SENT[this.#mode] ?? "") : "";
    if (this.isWhole) return problem ?? asSent;
    const undone = this.#mode === "parts" ? "shown in parts" : "indented";
    const tooLarge =
      isWhole(this.#mode) && !whole ? `Bodies over ${bytesPhrase(WHOLE_BYTES)} are not ${undone}.` : asSent;
    return `${tooLarge} The first ${bytesPhrase(this.#length)} are shown; scroll for more.`.trimStart();
  }

  /**
   * The document to show, prepared in steps: the whole body if the mode needs it and it arrived whole, else the first
   * `most` bytes. `isSame`: the body was shown before, so the scroll position stays.
   */
  *document(isSame: boolean, most: number): Steps<BodyDocument> {
    const plain = { folds: [], numberOf: String, language: languageNameOf(this.#contentType), isSame };
    if (this.#mode === "hex") return { ...plain, lines: this.#next(most), numberOf: hexOffset, language: null };
    const { bytes, whole } = this.#body;
    const arranged = isWhole(this.#mode) && whole ? yield* this.#arranged() : null;
    this.#isArranged = arranged !== null;
    if (arranged === null) return { ...plain, lines: this.#next(most) };
    this.#length = bytes.length;
    return { ...plain, ...arranged };
  }

  /** The whole body, arranged for its mode; `null` if the content does not fit the type. */
  *#arranged(): Steps<PrettyJson | null> {
    const { bytes } = this.#body;
    if (this.#mode !== "parts")
      return yield* prettyJsonSteps(yield* decodedSteps(bytes, decoderFor(this.#contentType)));
    const parts = multipartLinesOf(bytes, this.#contentType);
    return parts === null ? null : { lines: parts, folds: [] };
  }

  /** Loads up to `step` more bytes. Returns the lines for `BodyEditor.append`; `null` if nothing arrived. */
  async more(step: number): Promise<readonly string[] | null> {
    const before = this.#length;
    await this.#body.load(this.#length + step);
    const lines = this.#next(step);
    if (this.#length === before) return null;
    return this.#pieces === null ? ["", ...lines] : lines;
  }

  #next(most: number): readonly string[] {
    const { bytes, whole } = this.#body;
    const until = Math.min(bytes.length, this.#length + most);
    const isLast = whole && until === bytes.length;
    // The hex view gets whole lines only; the last line of the body may be shorter.
    const end = this.#pieces === null && !isLast ? until - (until % HEX_LINE) : until;
    const added = bytes.subarray(this.#length, end);
    this.#length = end;
    return this.#pieces === null ? hexLinesOf(added) : linesOf(this.#pieces.next(added, isLast));
  }
}
