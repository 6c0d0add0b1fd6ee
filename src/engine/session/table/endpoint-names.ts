import type { Endpoint } from "../../model/endpoint.ts";
import { Interned } from "./interned.ts";

/** The most endpoints that get a number. This takes some 100 MB. */
export const MOST_ENDPOINTS = 100_000;

/** The most characters of all endpoints' names together. */
const MOST_TEXT = 32 * 1024 * 1024;

/** The endpoints of a session, by number. If there are too many, new ones get no number. */
export class EndpointNames extends Interned<Endpoint> {
  readonly most: number;
  #text = 0;

  constructor(most: number) {
    super();
    this.most = most;
  }

  get isFull(): boolean {
    return this.size > this.most || this.#text > MOST_TEXT;
  }

  /** The endpoint's number. A new endpoint gets the next number, or 0 if there are too many. */
  override numberOf(endpoint: Endpoint): number {
    const known = this.find(endpoint);
    if (known !== 0 || this.isFull) return known;
    this.#text += endpoint.length;
    return super.numberOf(endpoint);
  }
}
