import { bytesPhrase } from "../../format/bytes.ts";
import type { Body } from "../../state/bodies.ts";
import type { BodyDocument } from "./body-editor.ts";
import { type BodyMode, decoderFor, isWhole, languageNameOf, WHOLE_BYTES } from "./body-kind.ts";
import { HEX_LINE, hexLinesOf, hexOffset } from "./hex-lines.ts";
import { prettyJsonOf } from "./pretty-json.ts";
import { linesOf, TextPieces } from "./text-pieces.ts";

/** As much of a body as stands in the editor: at first what has come of it, then more and more. */
export class DrawnBody {
  readonly #body: Body;
  readonly #mode: BodyMode;
  readonly #contentType: string | null;
  /** Turns bytes into text; `null` for the hex view. */
  readonly #pieces: TextPieces | null;
  #length = 0;
  #isIndented = false;

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

  /** What there is to say about it, in words; empty if nothing. */
  get problem(): string {
    if (this.isWhole) {
      const isAsSent = isWhole(this.#mode) && !this.#isIndented;
      return (
        this.#body.problem ??
        (isAsSent ? "This is no whole JSON document, or too deep to be indented: shown as it is." : "")
      );
    }
    const size = isWhole(this.#mode) ? `More than ${bytesPhrase(WHOLE_BYTES)} are not indented. ` : "";
    return `${size}The first ${bytesPhrase(this.#length)} are shown; more is read as you scroll.`;
  }

  /** All that has come. `isSame`: of the body that was shown before, so that what is in sight stays. */
  document(isSame: boolean): BodyDocument {
    const lines = this.#next();
    const plain = { lines, folds: [], numberOf: String, language: languageNameOf(this.#contentType), isSame };
    if (this.#pieces === null) return { ...plain, numberOf: hexOffset, language: null };
    const pretty = isWhole(this.#mode) && this.isWhole ? prettyJsonOf(lines.join("\n")) : null;
    this.#isIndented = pretty !== null;
    return pretty === null ? plain : { ...plain, ...pretty };
  }

  /** Reads on by so many bytes, and gives what they add: the first line goes on where the last ended. `null`: nothing came. */
  async more(step: number): Promise<readonly string[] | null> {
    const before = this.#length;
    await this.#body.load(this.#body.bytes.length + step);
    const lines = this.#next();
    if (this.#length === before) return null;
    return this.#pieces === null ? ["", ...lines] : lines;
  }

  #next(): readonly string[] {
    const { bytes, whole } = this.#body;
    // The hex view gets whole lines, until the last.
    const end = this.#pieces === null && !whole ? bytes.length - (bytes.length % HEX_LINE) : bytes.length;
    const added = bytes.subarray(this.#length, end);
    this.#length = end;
    return this.#pieces === null ? hexLinesOf(added) : linesOf(this.#pieces.next(added, whole));
  }
}
