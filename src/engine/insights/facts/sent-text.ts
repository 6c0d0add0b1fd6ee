import { jsonOf } from "../../model/json.ts";

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
    if (this.#json === undefined) this.#json = jsonOf(this.text);
    return this.#json;
  }
}
