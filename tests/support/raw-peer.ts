import { once } from "node:events";
import { connect, type Socket } from "node:net";
import * as tls from "node:tls";

/** One end of a connection; a test reads and writes its bytes. */
export class RawPeer {
  readonly socket: Socket;
  /** Resolves when the other side ends or breaks the connection: with "end", or with the system's error code. */
  readonly over: Promise<string>;
  /** What was received and not read yet; joined only when it is read. */
  #pieces: Buffer[] = [];
  #unread = 0;
  #total = 0;
  #over: string | null = null;
  #changed: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#unread += bytes.length;
      this.#total += bytes.length;
      this.#changed();
    });
    this.over = new Promise((resolve) => {
      const finish = (how: string): void => {
        this.#over ??= how;
        this.#changed();
        resolve(this.#over);
      };
      socket.on("end", () => finish("end"));
      socket.on("error", (error) => finish("code" in error ? String(error.code) : error.message));
      socket.on("close", () => finish("close"));
    });
  }

  static async to(port: number, host = "127.0.0.1"): Promise<RawPeer> {
    const socket = connect({ port, host, allowHalfOpen: true, noDelay: true });
    await once(socket, "connect");
    return new RawPeer(socket);
  }

  /** A connection through a tunnel of the proxy (CONNECT). */
  static async tunnel(proxyPort: number, authority: string): Promise<RawPeer> {
    const peer = await RawPeer.to(proxyPort);
    peer.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    const answer = await peer.head();
    if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(answer);
    return peer;
  }

  /** TLS inside a tunnel of the proxy. */
  static async secure(
    proxyPort: number,
    authority: string,
    ca: string,
    protocols: readonly string[] = [],
  ): Promise<RawPeer> {
    const plain = await RawPeer.tunnel(proxyPort, authority);
    return await plain.secured(authority.replace(/:\d+$/, ""), ca, protocols);
  }

  /** Starts TLS on this connection and offers these ALPN protocols. */
  async secured(host: string, ca: string, protocols: readonly string[] = []): Promise<RawPeer> {
    this.socket.removeAllListeners("data");
    const ALPNProtocols = [...protocols];
    const secured = tls.connect({ socket: this.socket, host, servername: host, ca: [ca], ALPNProtocols });
    await once(secured, "secureConnect");
    return new RawPeer(secured);
  }

  /** Number of all bytes received. */
  get total(): number {
    return this.#total;
  }

  /** The bytes received and not read yet. */
  get received(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#pieces;
    if (more.length === 0) return first;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  send(data: string | Uint8Array): void {
    if (typeof data === "string") this.socket.write(data, "latin1");
    else this.socket.write(data);
  }

  /** Reads up to and including the next `mark`; rejects if the connection ends before. */
  async until(mark: string): Promise<string> {
    return await this.#when(() => {
      const at = this.received.indexOf(mark, 0, "latin1");
      return at < 0 ? null : this.#take(at + mark.length).toString("latin1");
    }, mark);
  }

  /** Reads a head, including its empty line. */
  async head(): Promise<string> {
    return await this.until("\r\n\r\n");
  }

  async bytes(length: number): Promise<Buffer> {
    return await this.#when(
      () => (this.#unread < length ? null : this.#take(length)),
      `${length} bytes, of which ${this.#unread} came`,
    );
  }

  /** Reads until the connection ends. */
  async rest(): Promise<Buffer> {
    await this.over;
    return this.#take(this.#unread);
  }

  close(): void {
    this.socket.destroy();
  }

  #take(length: number): Buffer {
    const { received } = this;
    this.#pieces = [received.subarray(length)];
    this.#unread -= length;
    return received.subarray(0, length);
  }

  async #when<Value>(find: () => Value | null, wanted: string): Promise<Value> {
    for (;;) {
      const found = find();
      if (found !== null) return found;
      if (this.#over !== null) {
        const seen = this.received.toString("latin1").slice(0, 400);
        throw new Error(
          `the connection ended (${this.#over}) before ${JSON.stringify(wanted)}: ${JSON.stringify(seen)}`,
        );
      }
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}
