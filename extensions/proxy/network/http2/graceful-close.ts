import type { Http2Session } from "node:http2";

/**
 * A connection's graceful close (GOAWAY; RFC 9113, 6.8), deferred until its last stream ends. Once Node has closed a
 * session, it reports neither an error nor the end of the connection, so streams in flight would hang. Node itself
 * closes at the peer's GOAWAY.
 */
export class GracefulClose {
  readonly #close: () => void;
  readonly #hasStreams: () => boolean;
  #isWanted = false;

  constructor(session: Http2Session, hasStreams: () => boolean) {
    this.#close = session.close.bind(session);
    this.#hasStreams = hasStreams;
    session.close = () => this.afterStreams();
  }

  /** Whether a close was requested, by us or by Node. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  afterStreams(): void {
    this.#isWanted = true;
    // Node reports streams that were read at the same time a little later.
    setImmediate(() => this.streamOver());
  }

  /** The peer may begin no more streams; the open ones are limited elsewhere. */
  now(): void {
    this.#isWanted = true;
    this.#close();
  }

  streamOver(): void {
    if (this.#isWanted && !this.#hasStreams()) this.#close();
  }
}
