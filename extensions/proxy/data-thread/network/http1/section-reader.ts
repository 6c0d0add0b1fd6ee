import { Buffer } from "node:buffer";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";
import { LooseSection } from "./loose-section.ts";
import type { Refusal } from "./message.ts";
import { StrictSection } from "./strict-section.ts";

export interface SectionGrammar<Parsed> {
  /** Checks a start line with its CRLF; returns `null` if it is valid. */
  startLineFault(startLine: Buffer): Refusal | null;
  /** Parses a whole section with its final empty line. */
  read(section: Buffer): Parsed | Refusal;
  /** The lenient grammar; `null` if all errors are refused. */
  readonly loose: LooseGrammar<Parsed> | null;
}

/** Parses a section leniently after strict parsing has refused it. `repairs` receives the repairs made. */
export interface LooseGrammar<Parsed> {
  readonly repairs: Set<Repair>;
  /** Checks a start line without its end, after repairs; returns `null` if it is valid. */
  startLineFault(startLine: string): Refusal | null;
  /** Parses the lines of a whole section, without their ends and without the empty line. */
  read(lines: readonly string[]): Parsed | Refusal;
}

/** Parses one section after the other: strictly, and from its first error on leniently if the grammar allows that. */
export class SectionReader<Parsed extends { readonly kind: "head" | "end" }> {
  readonly #limit: number;
  readonly #grammar: SectionGrammar<Parsed>;
  readonly #strict: StrictSection;
  /** The lenient parser, while it parses a section that the strict parser has refused. */
  #loose: LooseSection | null = null;
  #to = 0;

  /** `limit`: the most bytes of a section. */
  constructor(limit: number, grammar: SectionGrammar<Parsed>) {
    this.#limit = limit;
    this.#grammar = grammar;
    this.#strict = new StrictSection(limit, (startLine) => grammar.startLineFault(startLine));
  }

  get isInside(): boolean {
    return this.#strict.length > 0 || this.#loose !== null;
  }

  /** The offset at which the last `feed` stopped. */
  get to(): number {
    return this.#to;
  }

  /** Returns the section; `null` if it continues after `bytes`. */
  feed(bytes: Buffer, from: number): Parsed | Refusal | null {
    if (this.#loose !== null) return this.#feedLoosely(this.#loose, bytes, from);
    const before = this.#strict.length;
    const section = this.#strict.feed(bytes, from);
    const parsed = Buffer.isBuffer(section) ? this.#grammar.read(section) : section;
    const { loose } = this.#grammar;
    if (parsed?.kind === "refused" && parsed.problem.status !== 431 && loose !== null) {
      const held = Buffer.isBuffer(section) ? section : this.#strict.drop();
      this.#loose = new LooseSection(this.#limit, (startLine) => loose.startLineFault(startLine), loose.repairs);
      this.#loose.feed(held.subarray(0, before), 0);
      return this.#feedLoosely(this.#loose, bytes, from);
    }
    this.#to = Buffer.isBuffer(section) ? from + section.length - before : bytes.length;
    return parsed;
  }

  /** Removes and returns the held bytes. */
  drop(): Buffer {
    return this.#strict.drop();
  }

  #feedLoosely(loose: LooseSection, bytes: Buffer, from: number): Parsed | Refusal | null {
    const lines = loose.feed(bytes, from);
    this.#to = loose.to;
    if (lines === null || "kind" in lines) return lines;
    this.#loose = null;
    return this.#grammar.loose?.read(lines) ?? null;
  }
}
