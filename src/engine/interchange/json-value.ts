/** A JSON value from outside: each reader gives what is there if it is of the wanted kind, else its fallback. */
export class JsonValue {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** A field of an object; of anything else nothing. */
  at(name: string): JsonValue {
    const isObject = typeof this.#value === "object" && this.#value !== null && Object.hasOwn(this.#value, name);
    return new JsonValue(isObject ? (this.#value as Readonly<Record<string, unknown>>)[name] : undefined);
  }

  /** The items of a list; of anything else none. */
  get items(): readonly JsonValue[] {
    return Array.isArray(this.#value) ? this.#value.map((item) => new JsonValue(item)) : [];
  }

  get text(): string | null {
    return typeof this.#value === "string" ? this.#value : null;
  }

  get number(): number | null {
    return typeof this.#value === "number" && Number.isFinite(this.#value) ? this.#value : null;
  }

  get boolean(): boolean | null {
    return typeof this.#value === "boolean" ? this.#value : null;
  }
}
