import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { TlsFacts } from "../../../../src/engine/capture/event.ts";
import { hostPort } from "../../../../src/engine/model/host-port.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import { plainAddress } from "../address.ts";
import type { DialResult, DialTimes } from "../dial.ts";
import { CODES } from "./codes.ts";
import { Leave } from "./leave.ts";
import { CONNECTION_WINDOW, LAST_STREAM, SERVER_SESSION } from "./limits.ts";
import type { RawFields } from "./message-text.ts";
import { nodeHttp2 } from "./node-http2.ts";
import { ReadTime } from "./read-time.ts";

/** One connection to a server that speaks HTTP/2, shared by the exchanges of all clients: each has a stream of it. */
export class UpstreamSession {
  readonly id: number;
  /** What the pool finds it by. */
  readonly key: string;
  readonly address: string;
  readonly addressAndPort: string;
  readonly times: DialTimes;
  readonly tls: TlsFacts | null;
  readonly excepted: boolean;
  readonly openedAt: Instant;
  /** Of the trust under which it was verified. */
  readonly generation: number;
  used = false;
  announced = false;
  idleSince: Instant;
  /** Told when it takes more streams than before, has answered a question, or is over. */
  whenChanged: () => void = () => {};
  /** Told when the server wants HTTP/1.1 instead. */
  whenUnwanted: () => void = () => {};
  readonly readTime: ReadTime;
  readonly #session: ClientHttp2Session;
  readonly #leave: Leave;
  readonly #socket: Socket;
  readonly #streams = new Set<ClientHttp2Stream>();
  /** Streams of exchanges that are over; what each has yet to send, and since when that is so. */
  readonly #lingering = new Map<ClientHttp2Stream, { readonly left: number; readonly since: Instant } | null>();
  /** Exchanges that it carries, with those that have not begun to. */
  #held = 0;
  #most = 0;
  #isGreeted = false;
  #isOpen = true;
  #isCut = false;
  #lastAnswered: number | null = null;
  /** Bytes of the server, and when there were more of them the last time that anybody looked. */
  #bytes = 0;
  #heardAt: Instant;
  #question: NodeJS.Timeout | null = null;
  /** Whether it has answered just now. */
  #isCertain = false;

  constructor(
    id: number,
    key: string,
    dialled: Omit<Extract<DialResult, { kind: "connected" }>, "kind">,
    at: Instant,
    generation: number,
    now: () => Instant,
  ) {
    const { socket, times, tls, excepted } = dialled;
    this.id = id;
    this.key = key;
    this.times = times;
    this.tls = tls;
    this.excepted = excepted;
    this.openedAt = at;
    this.idleSince = at;
    this.#heardAt = at;
    this.generation = generation;
    this.readTime = new ReadTime(now);
    this.#socket = socket;
    this.address = plainAddress(socket.remoteAddress);
    this.addressAndPort = hostPort(this.address, socket.remotePort ?? 0);
    // Every request names its own scheme and authority: what is named here is never sent.
    this.#session = nodeHttp2().connect("https://localhost", { ...SERVER_SESSION, createConnection: () => socket });
    this.#leave = new Leave(this.#session, () => this.#streams.size > 0);
    this.#session.setLocalWindowSize(CONNECTION_WINDOW);
    this.#session.on("remoteSettings", ({ maxConcurrentStreams }) => {
      this.#isGreeted = true;
      this.#most = maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
      this.whenChanged();
    });
    this.#session.on("goaway", (_code: number, last: number) => {
      this.#lastAnswered = last;
      this.#over();
    });
    // Its streams are told, and they tell.
    this.#session.on("error", this.#over);
    this.#session.on("close", this.#over);
    socket.on("end", this.#cut);
  }

  /** Whether it takes further requests, now or later. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#leave.isWanted && !this.#session.destroyed;
  }

  /** Whether it stands: what ends a stream of it now is about that stream alone. */
  get isThere(): boolean {
    return !this.#isCut && !this.#session.destroyed;
  }

  /** Whether it would take one more at once. */
  get hasRoom(): boolean {
    return this.isOpen && this.#held < this.#most;
  }

  /** Whether nothing is left of what the server allows; until it has said what it allows, that is not known. */
  get isFull(): boolean {
    return this.#isGreeted && this.#held >= this.#most;
  }

  /** How many streams the server takes at once; `null`: it has not said. */
  get limit(): number | null {
    return this.#isGreeted ? this.#most : null;
  }

  /** Until the server says it, this is how many it takes. */
  assume(limit: number): void {
    if (!this.#isGreeted) this.#most = limit;
  }

  get streams(): number {
    return this.#held;
  }

  /** Another exchange is to be carried; to be followed by `letGo`. */
  hold(): void {
    this.#held += 1;
  }

  letGo(at: Instant): void {
    this.#held -= 1;
    this.idleSince = at;
    this.whenChanged();
  }

  /** The stream's `close` comes in any case. */
  request(fields: RawFields, endStream: boolean, waitForTrailers: boolean): ClientHttp2Stream {
    // Node turns away, in its own words, who comes too late.
    if (this.#leave.isWanted) this.#leave.takeAtOnce();
    const stream = this.#session.request(fields, { endStream, waitForTrailers });
    this.#streams.add(stream);
    stream.once("close", () => {
      this.#streams.delete(stream);
      this.#lingering.delete(stream);
      this.#leave.streamOver();
    });
    // RFC 9113, 5.1.1: no more numbers, no more streams.
    if (stream.id === LAST_STREAM) this.#retire();
    return stream;
  }

  /**
   * Both have said all on that stream. It ends when the server has said that it has, and has taken what is left of the
   * request; one that does neither would keep the stream for nobody.
   */
  linger(stream: ClientHttp2Stream): void {
    this.#lingering.set(stream, null);
  }

  /** RFC 9113, 6.8 and 8.7: whether the server has said that it did nothing about that stream. */
  neverSaw(stream: ClientHttp2Stream): boolean {
    if (stream.id === undefined) return true;
    return this.#lastAnswered !== null && stream.id > this.#lastAnswered;
  }

  /** To be called about once a second: what came in between counts as of now. `limit`: how long a stream may linger. */
  look(now: Instant, limit: Milliseconds): void {
    for (const [stream, seen] of this.#lingering) {
      const left = stream.bufferSize;
      if (seen?.left !== left) this.#lingering.set(stream, { left, since: now });
      else if (now - seen.since >= limit) stream.close(CODES.cancel);
    }
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#bytes) return;
    this.#bytes = bytesRead;
    this.#heardAt = now;
  }

  /** Whether nothing was heard of the server for so long that it may be gone unseen. */
  isSilent(now: Instant, limit: Milliseconds): boolean {
    return !this.#isCertain && now - Math.max(this.#heardAt, this.idleSince) >= limit;
  }

  /** RFC 9113, 8.7: asks whether the server is still there. One that says nothing at all within `limit` is not. */
  ask(limit: Milliseconds, now: () => Instant): void {
    if (this.#question !== null) return;
    this.#session.ping((error) => {
      if (error !== null || this.#question === null) return;
      clearTimeout(this.#question);
      this.#question = null;
      this.#heardAt = now();
      this.#isCertain = true;
      this.whenChanged();
      this.#isCertain = false;
    });
    this.#await(limit);
  }

  /** No new streams; those that there are may end. */
  leave(): void {
    this.#isOpen = false;
    this.#leave.take();
  }

  destroy(error?: Error): void {
    this.#isOpen = false;
    this.#session.destroy(error);
    // Node would wait for what it has yet to write.
    this.#socket.destroy();
  }

  /** Its answer may stand behind much that was sent before: whoever says anything is there. */
  #await(limit: Milliseconds): void {
    const { bytesRead } = this.#socket;
    this.#question = setTimeout(() => {
      if (this.#socket.bytesRead === bytesRead) this.destroy(silence(limit));
      else this.#await(limit);
    }, limit);
  }

  readonly #over = (): void => {
    this.#isOpen = false;
    if (this.#question !== null) clearTimeout(this.#question);
    this.#question = null;
    this.whenChanged();
  };

  /**
   * The server says no more. What it has said to the end may still be read; the rest ends here and now: to be reset, a stream
   * would have to wait for Node, which puts that off until the server says more.
   */
  readonly #cut = (): void => {
    this.#isCut = true;
    for (const stream of this.#streams) if (!stream.closed) stream.destroy();
    this.#retire();
  };

  #retire(): void {
    this.leave();
    this.whenChanged();
  }
}

/** What its streams end by: a server that is taken to be gone, since it did not even answer a PING. */
function silence(after: Milliseconds): Error {
  return Object.assign(new Error(`no answer to PING for ${after} ms`), { code: "ERR_HTTP2_PING_UNANSWERED" });
}
