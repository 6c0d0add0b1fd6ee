/** An untrusted JSON value. Each accessor returns the value if it has the requested type, else a fallback. */
export class JsonValue {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** A field of an object; an absent value if there is no such field. */
  at(name: string): JsonValue {
    return this.has(name) ? new JsonValue((this.#value as Readonly<Record<string, unknown>>)[name]) : ABSENT;
  }

  /** The items of a list; empty for any other value. */
  get items(): readonly JsonValue[] {
    return Array.isArray(this.#value) ? this.#value.map((item) => new JsonValue(item)) : [];
  }

  get text(): string | null {
    return typeof this.#value === "string" ? this.#value : null;
  }

  get number(): number | null {
    return typeof this.#value === "number" && Number.isFinite(this.#value) ? this.#value : null;
  }

  /** A number, or a number written as text, since some tools quote every value. */
  get numeric(): number | null {
    const text = this.text?.trim() ?? "";
    return /^[+-]?\d{1,20}(?:\.\d{0,20})?$/.test(text) ? Number(text) : this.number;
  }

  get isObject(): boolean {
    return typeof this.#value === "object" && this.#value !== null && !Array.isArray(this.#value);
  }

  /** The names of an object's fields. */
  get names(): readonly string[] {
    return this.isObject ? Object.keys(this.#value as object) : [];
  }

  /** Whether an object has this field, whatever its value. */
  has(name: string): boolean {
    return typeof this.#value === "object" && this.#value !== null && Object.hasOwn(this.#value, name);
  }

  /** Whether an object has this field with the value `null`. */
  isNull(name: string): boolean {
    return this.has(name) && (this.#value as Readonly<Record<string, unknown>>)[name] === null;
  }

  /** The value as JSON text, shortened by `excerptOf`; "nothing" if it is absent. */
  get excerpt(): string {
    return excerptOf(JSON.stringify(this.#value) ?? "nothing");
  }

  get boolean(): boolean | null {
    return typeof this.#value === "boolean" ? this.#value : null;
  }
}

const ABSENT = new JsonValue(undefined);

const LONGEST_EXCERPT = 80;

/** The beginning of JSON text, on one line. */
export function excerptOf(json: string): string {
  const start = json.slice(0, LONGEST_EXCERPT).replaceAll(/[\s\p{Cc}]+/gu, " ");
  return json.length > LONGEST_EXCERPT ? `${start}…` : start;
}
