import type { Http2Session } from "node:http2";
import { CODES } from "./codes.ts";
import { MOST_GOAWAYS } from "./limits.ts";

/**
 * Closes a connection with GOAWAY (RFC 9113, 6.8) after its last stream. Once a session is closed, Node reports neither
 * errors nor the connection's end, so open streams would hang. Replaces `session.close`, because Node calls it when the
 * peer sends GOAWAY.
 */
export class GracefulClose {
  readonly #close: () => void;
  readonly #hasStreams: () => boolean;
  #isWanted = false;
  #isDue = false;
  #goaways = 0;

  constructor(session: Http2Session, hasStreams: () => boolean) {
    this.#close = session.close.bind(session);
    this.#hasStreams = hasStreams;
    session.close = () => this.afterStreams();
    session.on("goaway", () => {
      this.#goaways += 1;
      if (this.#goaways === MOST_GOAWAYS + 1)
        session.destroy(new Error(`more than ${MOST_GOAWAYS} GOAWAY frames`), CODES.enhanceYourCalm);
    });
  }

  /** Whether a close was requested, by us or by Node. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  afterStreams(): void {
    this.#isWanted = true;
    if (this.#isDue) return;
    this.#isDue = true;
    // Deferred, because Node may have read further streams that it has not reported yet.
    setImmediate(() => {
      this.#isDue = false;
      this.streamOver();
    });
  }

  /**
   * Closes even if streams are open, so that the peer can open no others. Open streams end by their own time limits.
   */
  now(): void {
    this.#isWanted = true;
    this.#close();
  }

  streamOver(): void {
    if (this.#isWanted && !this.#hasStreams()) this.#close();
  }
}
