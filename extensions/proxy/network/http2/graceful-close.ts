import type { Http2Session } from "node:http2";

/**
 * Closes a connection with GOAWAY (RFC 9113, 6.8), but only after its last stream has ended. Of a session that Node has
 * closed, it reports neither an error nor the connection's end, so streams in flight would hang. Node itself closes a
 * session when the peer sends GOAWAY.
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
    // Deferred, since Node reports streams that were read at the same time a little later.
    setImmediate(() => this.streamOver());
  }

  /** Closes now: the peer can begin no more streams. Open streams have other time limits. */
  now(): void {
    this.#isWanted = true;
    this.#close();
  }

  streamOver(): void {
    if (this.#isWanted && !this.#hasStreams()) this.#close();
  }
}
