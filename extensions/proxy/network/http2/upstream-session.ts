import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import type { TlsFacts } from "../../../../src/engine/capture/event.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { hostPort, plainAddress } from "../address.ts";
import type { DialResult, DialTimes } from "../dial.ts";
import { CODES } from "./codes.ts";
import { CONNECTION_WINDOW, SERVER_SESSION } from "./limits.ts";
import type { RawFields } from "./message-text.ts";
import { nodeHttp2 } from "./node-http2.ts";

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
  /** Told when the server wants HTTP/1.1 instead. */
  whenUnwanted: () => void = () => {};
  readonly #session: ClientHttp2Session;
  readonly #streams = new Set<ClientHttp2Stream>();
  #isOpen = true;
  #lastAnswered: number | null = null;

  constructor(
    id: number,
    key: string,
    dialled: Omit<Extract<DialResult, { kind: "connected" }>, "kind">,
    at: Instant,
    generation: number,
  ) {
    const { socket, times, tls, excepted } = dialled;
    this.id = id;
    this.key = key;
    this.times = times;
    this.tls = tls;
    this.excepted = excepted;
    this.openedAt = at;
    this.idleSince = at;
    this.generation = generation;
    this.address = plainAddress(socket.remoteAddress);
    this.addressAndPort = hostPort(this.address, socket.remotePort ?? 0);
    // Every request names its own scheme and authority: what is named here is never sent.
    this.#session = nodeHttp2().connect("https://localhost", { ...SERVER_SESSION, createConnection: () => socket });
    this.#session.setLocalWindowSize(CONNECTION_WINDOW);
    this.#session.on("goaway", (_code: number, last: number) => {
      this.#isOpen = false;
      this.#lastAnswered = last;
    });
    // Its streams are told, and they tell.
    this.#session.on("error", this.#closed);
    this.#session.on("close", this.#closed);
    socket.on("end", this.#cut);
  }

  /** Whether it takes further requests. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#session.closed && !this.#session.destroyed;
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** The stream's `close` comes in any case. */
  request(fields: RawFields, endStream: boolean, waitForTrailers: boolean, now: () => Instant): ClientHttp2Stream {
    const stream = this.#session.request(fields, { endStream, waitForTrailers });
    this.#streams.add(stream);
    stream.once("close", () => {
      this.#streams.delete(stream);
      this.idleSince = now();
    });
    return stream;
  }

  /** RFC 9113, 6.8 and 8.7: whether the server has said that it did nothing about that stream. */
  neverSaw(stream: ClientHttp2Stream): boolean {
    if (stream.id === undefined) return true;
    return this.#lastAnswered !== null && stream.id > this.#lastAnswered;
  }

  /** No new streams; those that there are may end. */
  leave(): void {
    this.#isOpen = false;
    this.#session.close();
  }

  destroy(): void {
    this.#isOpen = false;
    this.#session.destroy();
  }

  readonly #closed = (): void => {
    this.#isOpen = false;
  };

  /** The server says no more. What it has said to the end may still be read. */
  readonly #cut = (): void => {
    for (const stream of this.#streams) if (!stream.closed) stream.close(CODES.cancel);
    this.leave();
  };
}
