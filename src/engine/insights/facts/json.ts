/** The decoded text of a request's body, parsed as JSON at most once. */
export class SentText {
  readonly text: string;
  #json: unknown;

  /** `text`: "" if there is no body or it is not text. */
  constructor(text: string) {
    this.text = text;
  }

  /** The parsed JSON; `null` if the text is not JSON. */
  get json(): unknown {
    if (this.#json === undefined) this.#json = parsed(this.text);
    return this.#json;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parsed JSON; `null` if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
