import type { CaptureEvent } from "../capture/event.ts";
import { HarEntries, type HarExchange } from "../interchange/har-entries.ts";
import type { LeftOut } from "../messages/session-messages.ts";
import type { Problem } from "../model/result.ts";
import type { Session } from "../session/session.ts";
import type { HarText } from "./har-text.ts";
import { OperationReader } from "./operation-reader.ts";

/** Called with events whose content the session does not keep, and with the annotation of their exchange. */
export type KeepsContent = (events: readonly CaptureEvent[], of: Noted | null) => void;

type Noted = Pick<HarExchange, "id" | "annotation">;

/**
 * Reads a HAR file in pieces into a session. The id of an exchange is the index of its entry, from 1. A file without an
 * exchange is refused.
 */
export class HarSession {
  readonly session: Session;
  readonly #keep: KeepsContent;
  readonly #operations = new OperationReader();
  readonly #text: HarText;
  readonly #entries: HarEntries;
  #exchanges = 0;

  constructor(session: Session, text: HarText, keep: KeepsContent) {
    this.session = session;
    this.#text = text;
    this.#entries = new HarEntries(text.attached);
    this.#keep = keep;
  }

  get exchanges(): number {
    return this.#exchanges;
  }

  /** The first 100 entries that could not be read, with their reasons. */
  get leftOut(): readonly LeftOut[] {
    return this.#entries.leftOut;
  }

  get leftOutCount(): number {
    return this.#entries.leftOutCount;
  }

  /** Which bodies in files of their own could not be read, as a sentence; `null` if all could. */
  get unreadBodies(): string | null {
    return this.#text.unreadBodies;
  }

  /** Reads a piece; the `last` one completes the session. Returns `null`, or a sentence why the file is refused. */
  async read(bytes: Uint8Array, last: boolean): Promise<Problem | null> {
    for await (const text of this.#text.decode(bytes, last))
      for (const exchange of this.#entries.push(text)) this.#add(exchange);
    if (last) for (const exchange of this.#entries.rest()) this.#add(exchange);
    const problem = this.#text.problem ?? this.#entries.problem;
    return problem === null && last ? this.#end() : problem;
  }

  close(): void {
    this.#text.close();
  }

  #end(): Problem | null {
    const problem = this.#entries.finish() ?? this.#nothing();
    if (problem !== null) return problem;
    const { pages } = this.#entries;
    this.session.apply(pages);
    this.#keep(pages, null);
    this.session.learn();
    return null;
  }

  #add(exchange: HarExchange | null): void {
    if (exchange === null) return;
    const events = this.#operations.read(exchange.events);
    this.#exchanges += 1;
    this.session.apply(events);
    this.#keep(events, exchange);
  }

  #nothing(): Problem | null {
    if (this.#exchanges > 0) return null;
    const [first] = this.#entries.leftOut;
    const nothing = "The file holds no exchange.";
    return first === undefined ? nothing : `${nothing} Entry ${first.entry}: ${first.reason}.`;
  }
}
