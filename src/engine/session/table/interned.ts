import type { Endpoint } from "../../model/endpoint.ts";

/** Stores each text once, by number. Numbers count from 1; 0 stands for `null`. */
export class Interned<Text extends string = string> {
  readonly #numbers = new Map<Text, number>();
  readonly #texts: (Text | null)[] = [null];

  /** The highest number plus 1. */
  get size(): number {
    return this.#texts.length;
  }

  /** The text's number; a new text gets the next one. */
  numberOf(text: Text | null): number {
    if (text === null) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    const own = ownCopy(text);
    this.#numbers.set(own, number);
    this.#texts.push(own);
    return number;
  }

  /** The text's number; 0 if it is unknown. */
  find(text: Text): number {
    return this.#numbers.get(text) ?? 0;
  }

  textAt(number: number): Text | null {
    return this.#texts[number] ?? null;
  }
}

/** The most characters of all texts that `LimitedTexts` stores. */
const MOST_TEXT = 64 * 1024 * 1024;

/** Texts that peers choose, such as hosts. At the limit, all further ones share one number. */
export class LimitedTexts extends Interned {
  readonly #most: number;
  #length = 0;

  constructor(most = MOST_TEXT) {
    super();
    this.#most = most;
  }

  override numberOf(text: string | null): number {
    const known = text === null ? 0 : this.find(text);
    if (text === null || known !== 0) return known;
    if (this.#length + text.length > this.#most) return super.numberOf(TOO_MANY);
    this.#length += text.length;
    return super.numberOf(text);
  }
}

/** Shown in place of a text beyond the limit. */
export const TOO_MANY = "(too many different values to keep)";

/**
 * A copy with its own memory. V8 keeps the whole source of a substring in memory, and all parts of a concatenated
 * string; `join` makes a flat string.
 */
function ownCopy<Text extends string>(text: Text): Text {
  return [text.slice(0, 1), text.slice(1)].join("") as Text;
}

/** The most endpoints that get a number. This takes some 100 MB. */
export const MOST_ENDPOINTS = 100_000;

/** The most characters of all endpoints' names together. */
const MOST_ENDPOINT_TEXT = 32 * 1024 * 1024;

/** The endpoints of a session, by number. If there are too many, new ones get no number. */
export class EndpointNames extends Interned<Endpoint> {
  readonly most: number;
  #text = 0;

  constructor(most: number) {
    super();
    this.most = most;
  }

  get isFull(): boolean {
    return this.size > this.most || this.#text > MOST_ENDPOINT_TEXT;
  }

  /** The endpoint's number. A new endpoint gets the next number, or 0 if there are too many. */
  override numberOf(endpoint: Endpoint): number {
    const known = this.find(endpoint);
    if (known !== 0 || this.isFull) return known;
    this.#text += endpoint.length;
    return super.numberOf(endpoint);
  }
}
