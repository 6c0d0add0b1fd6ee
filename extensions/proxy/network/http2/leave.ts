import type { Http2Session } from "node:http2";

/**
 * A session's leave (GOAWAY; RFC 9113, 6.8), put off until its last stream is over. Node takes its own as soon as it has heard
 * the other side's, and from then on does not tell of an error of the connection: it only reads no more, so that not even the
 * other side's end is seen, and what is in flight stays so.
 */
export class Leave {
  readonly #close: () => void;
  readonly #hasStreams: () => boolean;
  #isWanted = false;

  constructor(session: Http2Session, hasStreams: () => boolean) {
    this.#close = session.close.bind(session);
    this.#hasStreams = hasStreams;
    session.close = () => this.take();
  }

  /** Whether somebody has asked for it, Node included. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  take(): void {
    this.#isWanted = true;
    // Of streams that were read in the same go Node tells a little later.
    setImmediate(() => this.streamOver());
  }

  /** The other side is to begin no more streams; for those that are there somebody else sets a limit. */
  takeAtOnce(): void {
    this.#isWanted = true;
    this.#close();
  }

  streamOver(): void {
    if (this.#isWanted && !this.#hasStreams()) this.#close();
  }
}
