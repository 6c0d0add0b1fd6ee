import { isNamed } from "./code.ts";
import { withoutEntities } from "./entities.ts";
import { attributesAt, localName, quoted } from "./markup-attributes.ts";
import { REDACTED, type Redact } from "./nested.ts";
import { isSecretName } from "./secret-name.ts";

/** Default; not from a specification: elements deeper than this are not matched with their end tags. */
const DEEPEST = 1_000;

/**
 * Default; not from a specification: an end tag closes at most this many open elements: its own, and inner ones without
 * an end tag, as HTML allows.
 */
const MOST_UNCLOSED = 16;

/** How text and attributes of markup are redacted. */
export interface Redactors {
  /** Redacts values of attributes. */
  readonly value: Redact;
  /** Redacts text, comments and scripts. */
  readonly text: Redact;
}

/** An open element. */
interface Frame {
  /** The name as written, with its namespace prefix. */
  readonly name: string;
  /** Whether the element's content is a secret. */
  readonly isSecret: boolean;
  /** The index, in `pieces`, of the first piece of the content. */
  readonly from: number;
  /** The element's text; `null` if the element contains another element. */
  text: string | null;
  /**
   * Whether a child such as `<name>` gave a secret name: to all values beside it ("values"), or only to the next child
   * ("next").
   */
  titled: "no" | "values" | "next";
  /** The contents of children such as `<value>`, as ranges of indexes in `pieces`. */
  readonly values: { readonly from: number; readonly to: number }[];
}

/**
 * Removes from markup (XML or HTML, whole or cut off) the content of elements and the values of attributes with secret
 * names. The name may also be given beside the value:
 *
 *   <password>x</password>   <a password="x">   <entry key="password">x</entry>   <name>password</name><value>x</value>
 *
 * `isWhole`: whether the text starts with markup. If not, a tag may be other text, such as `<token>` in a manual.
 */
export function redactedMarkupBy(text: string, redactors: Redactors, isWhole: boolean): string {
  const markup = new Markup(text, redactors, !isWhole || HTML.test(text));
  let at = 0;
  while (at < text.length) at = markup.readAt(at);
  return markup.pieces.join("");
}

/** Whether the text contains a tag. */
export function hasTag(text: string): boolean {
  return TAG.test(text);
}

const TAG = /<[A-Za-z!?/]/;
const TAG_NAME = /[A-Za-z_][^\s/>"'<=]*/y;
/** Elements of a web page. In a web page, an element with a secret name may contain any part of the page. */
const HTML = /<(?:!doctype html|html|head|body|div|span|p|script|style|form|input|button|table|ul|li)\b/i;
/** HTML elements whose content is not markup. */
const RAW = /^(?:script|style|textarea|title)$/i;
/** HTML elements whose `name` attribute does not name their content. */
const NAMED_HTML = /^(?:a|button|details|fieldset|form|iframe|map|object|select|slot|svg)$/i;
/** Names of attributes and elements that name the value beside them. */
const TITLE = /^(?:name|key|k|field|param|parameter|property|variable)$/i;
const VALUE = /^(?:\w{0,32}value|val|v|content|data|string|text)$/i;
const NOTHING: ReadonlySet<string> = new Set(["", "true", "false", "null"]);
const COUNTED = /(?:s|key)$/i;
const COUNT = /^\d{1,7}$/;

class Markup {
  readonly pieces: string[] = [];
  readonly #text: string;
  readonly #redactors: Redactors;
  /** Whether an element with a secret name may contain ordinary elements, or its tag may be other text. */
  readonly #isLoose: boolean;
  readonly #open: Frame[] = [];

  constructor(text: string, redactors: Redactors, isLoose: boolean) {
    this.#text = text;
    this.#redactors = redactors;
    this.#isLoose = isLoose;
  }

  /** Reads text, a tag, a comment or a section, and returns the offset of its end. */
  readAt(at: number): number {
    const text = this.#text;
    if (text[at] !== "<") return this.#readText(at, this.#tagAfter(at));
    if (text.startsWith("<!--", at)) return this.#readSection(at, 4, "-->");
    if (text.startsWith("<![CDATA[", at)) return this.#readSection(at, 9, "]]>");
    if (text[at + 1] === "/") return this.#readEnd(at);
    return this.#readStart(at);
  }

  #tagAfter(at: number): number {
    const next = this.#text.indexOf("<", at);
    return next < 0 ? this.#text.length : next;
  }

  #readText(from: number, to: number): number {
    const raw = this.#text.slice(from, to);
    const frame = this.#open.at(-1);
    if (frame !== undefined && frame.text !== null) frame.text += raw;
    this.pieces.push(this.#shownText(raw));
    return to;
  }

  #shownText(raw: string): string {
    const frame = this.#open.at(-1);
    if (frame?.isSecret !== true) return this.#redactors.text(raw);
    return isNothing(raw) || (COUNTED.test(frame.name) && COUNT.test(raw.trim())) ? raw : REDACTED;
  }

  #readSection(at: number, begin: number, end: string): number {
    const found = this.#text.indexOf(end, at + begin);
    const to = found < 0 ? this.#text.length : found;
    this.pieces.push(this.#text.slice(at, at + begin));
    this.#readText(at + begin, to);
    this.pieces.push(this.#text.slice(to, to + end.length));
    return to + end.length;
  }

  #readEnd(at: number): number {
    const close = this.#text.indexOf(">", at);
    const to = close < 0 ? this.#text.length : close + 1;
    const tag = this.#text.slice(at, to);
    const name = /^[^\s>]*/.exec(tag.slice(2))?.[0] ?? "";
    const lower = name.toLowerCase();
    const unclosed = this.#open.slice(-MOST_UNCLOSED).reverse();
    const above = unclosed.findIndex((frame) => frame.name.toLowerCase() === lower);
    for (let closed = 0; closed <= above; closed += 1) this.#close();
    this.pieces.push(tag);
    return to;
  }

  #close(): void {
    const frame = this.#open.pop();
    const parent = this.#open.at(-1);
    if (frame === undefined || parent === undefined) return;
    const local = localName(frame.name);
    const isTitle = TITLE.test(local);
    if (isTitle && !isNamed((frame.text ?? "").trim())) parent.titled = "no";
    else if (isTitle) {
      parent.titled = local.toLowerCase() === "key" ? "next" : "values";
      for (const { from, to } of parent.values.splice(0)) this.#hide(from, to);
    } else if (parent.titled === "next") parent.titled = "values";
    if (VALUE.test(local)) parent.values.push({ from: frame.from, to: this.pieces.length });
  }

  /** Redacts the pieces from `from` to before `to`, unless their text is empty or a word such as `true`. */
  #hide(from: number, to: number): void {
    if (isNothing(this.pieces.slice(from, to).join(""))) return;
    this.pieces.fill("", from, to);
    this.pieces[from] = REDACTED;
  }

  #readStart(at: number): number {
    const begin = at + (this.#text[at + 1] === "?" || this.#text[at + 1] === "!" ? 2 : 1);
    TAG_NAME.lastIndex = begin;
    const name = TAG_NAME.exec(this.#text)?.[0] ?? "";
    if (name === "") {
      this.#readText(at, this.#tagAfter(at + 1));
      return this.#tagAfter(at + 1);
    }
    this.pieces.push(this.#text.slice(at, begin + name.length));
    const { end, title } = this.#readAttributes(begin + name.length);
    const isEmpty = this.#text[end - 1] === "/" || begin > at + 1;
    const to = this.#text[end] === ">" ? end + 1 : end;
    this.pieces.push(this.#text.slice(end, to));
    const above = this.#open.at(-1);
    if (above !== undefined) above.text = null;
    if (isEmpty) return to;
    if (this.#open.length < DEEPEST) this.#open.push(this.#frameOf(name, title, to));
    return this.#isLoose && RAW.test(name) ? this.#readRaw(name, to) : to;
  }

  #frameOf(name: string, title: string, from: number): Frame {
    const above = this.#open.at(-1);
    const local = localName(name);
    const isTitled = above?.titled === "next" || (above?.titled === "values" && VALUE.test(local));
    // An element whose attribute gives a secret name may also be a description, a form or a schema.
    const isNamedHere = title !== "" && isNamed(title);
    const isSecret =
      above?.isSecret === true ||
      isTitled ||
      (isSecretElement(local) && (!this.#isLoose || this.#isTextAlone(name, from))) ||
      (isNamedHere && !NAMED_HTML.test(local) && this.#isTextAlone(name, from));
    return { name, isSecret, from: this.pieces.length, text: "", titled: isNamedHere ? "values" : "no", values: [] };
  }

  #isTextAlone(name: string, from: number): boolean {
    const next = this.#tagAfter(from);
    return this.#text.startsWith(`</${name}`, next) || this.#text.startsWith("<![CDATA[", next);
  }

  /** Reads the content of an element in `RAW` up to its end tag. */
  #readRaw(name: string, from: number): number {
    const end = new RegExp(`</${name}`, "gi");
    end.lastIndex = from;
    const found = end.exec(this.#text)?.index ?? this.#text.length;
    return found === from ? from : this.#readText(from, found);
  }

  /**
   * Writes the attributes from the offset `from` on. Returns the offset at which the tag ends, and the name that an
   * attribute such as `key` gives; "" if none does.
   */
  #readAttributes(from: number): { readonly end: number; readonly title: string } {
    const tag = attributesAt(this.#text, from);
    const title = withoutEntities(tag.attributes.find(({ name }) => TITLE.test(name))?.value ?? "");
    const isTitled =
      isSecretName(title) ||
      tag.attributes.some(({ name, value }) => /^id$/i.test(name) && isNamed(value)) ||
      tag.attributes.some(({ name, value }) => /^type$/i.test(name) && /^password$/i.test(value));
    const isHidden = this.#open.at(-1)?.isSecret === true;
    let kept = from;
    for (const { name, from: begin, to, quote, value } of tag.attributes) {
      const isSecret = isSecretAttribute(name) || (VALUE.test(name) && (isTitled || isHidden));
      const shown = isSecret && !isNothing(value) ? REDACTED : this.#redactors.value(value);
      if (shown === value) continue;
      this.pieces.push(this.#text.slice(kept, begin), quoted(shown, quote));
      kept = to;
    }
    this.pieces.push(this.#text.slice(kept, tag.end));
    return { end: tag.end, title };
  }
}

function isNothing(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase());
}

/**
 * Whether an element of this name contains a secret. `key` alone does not count, since property lists (Apple, Property
 * List) have `<key>` elements for ordinary names.
 */
function isSecretElement(name: string): boolean {
  return isSecretName(name) && !/^keys?$/i.test(name);
}

/** Whether an attribute of this name contains a secret. HTML's `accesskey` does not: it is a key on the keyboard. */
function isSecretAttribute(name: string): boolean {
  return /^[\w.@$-]+$/.test(name) && isNamed(name) && !/^accesskey$/i.test(name);
}
