import { Socket } from "node:net";
import type { Slowed } from "../../../../../src/engine/model/phases.ts";
import type { Bytes, Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { BUFFERS, type BufferBudget, type Holder, LEAST_ROOM } from "./buffer-budget.ts";
import { type EmulatedLine, Lane } from "./emulated-line.ts";

type Done = (error?: Error | null) => void;

/** Called with whether the bytes left the line; false if the connection closed before. */
export type OnSent = (isSent: boolean) => void;

/**
 * A client's socket at the end of a slow line. TLS and HTTP use it in place of the TCP socket `raw`; what the line has
 * no room for pushes back to both sides.
 */
export class SlowedSocket extends Socket implements Holder {
  readonly #raw: Socket;
  readonly #budget: BufferBudget;
  readonly #up: Lane;
  readonly #down: Lane;
  #written: Bytes = 0;
  /** The arrivals of the bytes that the line holds on their way up, oldest first. */
  readonly #arrivals: { size: Bytes; readonly at: Milliseconds }[] = [];
  #arrivedAt: Milliseconds = 0;
  #isRawEnded = false;
  /** Called once the line has room again for bytes towards the client. */
  #whenRoom: Done | null = null;
  /** The bytes pushed into the line towards the client so far, and those that left it. */
  #pushed: Bytes = 0;
  #left: Bytes = 0;
  readonly #whenSent: { readonly after: Bytes; readonly then: OnSent }[] = [];

  constructor(raw: Socket, line: EmulatedLine, budget = BUFFERS) {
    super({ allowHalfOpen: true });
    this.#raw = raw;
    this.#budget = budget;
    this.#up = new Lane(line.up, (bytes) => this.#received(bytes));
    this.#down = new Lane(line.down, (bytes) => this.#sent(bytes));
    const { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily } = raw;
    const own = { remoteAddress, remotePort, remoteFamily, localAddress, localPort, localFamily };
    for (const [name, value] of Object.entries(own)) Object.defineProperty(this, name, { value, configurable: true });
    Object.defineProperty(this, "bytesWritten", { get: () => this.#written + this.writableLength });
    raw.on("data", (bytes: Buffer) => this.#arrived(bytes));
    raw.on("end", () => {
      this.#isRawEnded = true;
      this.#endIfRead();
    });
    raw.on("error", (error) => this.destroy(error));
    raw.on("close", () => {
      if (!this.#isRawEnded || this.#up.held === 0) this.destroy();
    });
    SLOWED.set(this, this);
  }

  /** The number of bytes in the line, both ways. */
  get held(): Bytes {
    return this.destroyed ? 0 : this.#up.held + this.#down.held;
  }

  /** The number of bytes on their way to the client. */
  get unsent(): Bytes {
    return this.destroyed ? 0 : this.#down.held + this.writableLength + this.#raw.writableLength;
  }

  /** When the latest bytes that were read had reached Weir. */
  get arrivedAt(): Instant {
    return this.#arrivedAt as Instant;
  }

  get now(): Instant {
    return this.#up.now() as Instant;
  }

  get hasReceivedFin(): boolean {
    return this.#isRawEnded || this.#raw.destroyed;
  }

  /** For how long the line held bytes so far, on their way up and down. */
  get heldUp(): Milliseconds {
    return this.#up.heldTime;
  }

  get heldDown(): Milliseconds {
    return this.#down.heldTime;
  }

  heldUpSince(at: Milliseconds): Milliseconds {
    return this.#up.heldSince(at);
  }

  /** Slows this connection, or stops to. `waits`: what its first bytes wait in addition, on their way up and down. */
  slow(isOn: boolean, waits: { readonly up: Milliseconds; readonly down: Milliseconds }): void {
    this.#up.isOn = isOn;
    this.#down.isOn = isOn;
    if (!isOn) return this.#makeRoom();
    this.#up.openAfter(waits.up);
    this.#down.openAfter(waits.down);
  }

  /** Calls `then` once everything that was written so far has left the line, or the connection has closed. */
  whenSent(then: OnSent): void {
    if (this.destroyed || this.#left === this.#pushed) then(this.#left === this.#pushed && this.writableLength === 0);
    else this.#whenSent.push({ after: this.#pushed, then });
  }

  override resetAndDestroy(): this {
    this.#raw.resetAndDestroy();
    return this.destroy();
  }

  override _read(): void {
    this.#readMore();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
    // Node's sockets pass text on as it is.
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    // An empty write sends nothing, but finds out that the client has reset the connection (`DisconnectPolicy`).
    if (bytes.length === 0) this.#raw.write(bytes);
    else this.#written += bytes.length;
    this.#pushed += bytes.length;
    this.#down.push(bytes);
    if (this.#hasRoom()) done();
    else this.#whenRoom = done;
  }

  /** Needed, because the one of Node's sockets writes to a handle. */
  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: Done): void {
    const bytes = chunks.map(({ chunk, encoding }) =>
      typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk,
    );
    this._write(Buffer.concat(bytes), "latin1", done);
  }

  override _final(done: Done): void {
    this.whenSent(() => {
      if (this.#raw.destroyed) return done();
      this.#raw.end(() => done());
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#up.close();
    this.#down.close();
    this.#budget.count(this);
    this.#raw.destroy();
    for (const { then } of this.#whenSent.splice(0)) then(false);
    const refused = this.#whenRoom;
    this.#whenRoom = null;
    // Node would not call back for the writes behind one that is never done.
    refused?.(error ?? new Error("the client has closed the connection"));
    done(error);
    // Node's sockets emit it themselves, after `error`.
    process.nextTick(() => this.emit("close", error !== null));
  }

  #hasRoom(): boolean {
    this.#budget.count(this);
    if (this.#raw.writableLength > LEAST_ROOM) return false;
    return this.#budget.isSpent ? this.#down.held < LEAST_ROOM : this.#down.hasRoom;
  }

  #sent(bytes: Buffer): void {
    if (!this.#raw.destroyed) this.#raw.write(bytes, () => this.#makeRoom());
    this.#makeRoom();
    this.#left += bytes.length;
    while ((this.#whenSent[0]?.after ?? Number.POSITIVE_INFINITY) <= this.#left) this.#whenSent.shift()?.then(true);
  }

  #makeRoom(): void {
    const done = this.#whenRoom;
    if (done === null || !this.#hasRoom()) return;
    this.#whenRoom = null;
    done();
  }

  #arrived(bytes: Buffer): void {
    this.#arrivals.push({ size: bytes.length, at: this.#up.now() });
    this.#up.push(bytes);
    this.#budget.count(this);
    const room = this.#budget.isSpent ? LEAST_ROOM : Number.POSITIVE_INFINITY;
    if (!this.#up.hasRoom || this.#up.held + this.readableLength >= room) this.#raw.pause();
  }

  #received(bytes: Buffer): void {
    let size = bytes.length;
    while (size > 0 && this.#arrivals[0] !== undefined) {
      const [first] = this.#arrivals;
      this.#arrivedAt = first.at;
      const taken = Math.min(first.size, size);
      first.size -= taken;
      size -= taken;
      if (first.size === 0) this.#arrivals.shift();
    }
    const asks = this.push(bytes);
    if (asks) this.#readMore();
    this.#endIfRead();
  }

  #readMore(): void {
    if (this.#raw.isPaused() && this.#up.hasRoom) this.#raw.resume();
  }

  #endIfRead(): void {
    if (!this.#isRawEnded || this.#up.held > 0 || this.destroyed) return;
    this.push(null);
    if (this.#raw.destroyed) this.destroy();
  }
}

const SLOWED = new WeakMap<Socket, SlowedSocket>();

/** The slowed socket at the bottom of `socket`; `null` if its connection is not slowed. */
export function slowedBelow(socket: Socket): SlowedSocket | null {
  return SLOWED.get(socket) ?? null;
}

/** Makes `slowedBelow` find what is below `inner`, a TLS socket over `outer`, and gives `inner` its addresses. */
export function joinSlowed(inner: Socket, outer: Socket): void {
  const slowed = slowedBelow(outer);
  if (slowed === null) return;
  SLOWED.set(inner, slowed);
  // Node takes a socket without a handle for one that is not connected yet (`TLSSocket._init`).
  if (slowed === outer) slowed.emit("connect");
  // Node asks the handle below TLS for them, and a stream has none.
  for (const name of ["remoteAddress", "remotePort", "localAddress", "localPort"] as const)
    Object.defineProperty(inner, name, { value: slowed[name], configurable: true });
}

/** What an exchange needs of a client on a slow line. */
export interface SlowedClient {
  /** The slow line below the connection; `null` if there is none. */
  readonly slowed: SlowedSocket | null;
  /** Calls `done` once everything that was written has left the slow line, or could not; at once if there is none. */
  whenSent(done: OnSent): void;
}

/** Measures for how long the line held bytes of one exchange, or of others on its connection during its transfer. */
export class Slowing {
  readonly #socket: SlowedSocket;
  readonly #whenSent: SlowedClient["whenSent"];
  readonly #request: Milliseconds;
  #uploadFrom: Milliseconds | null = null;
  #upload: Milliseconds = 0;
  #responseFrom: Milliseconds | null = null;

  /** `at`: when the first byte of the head had arrived. To be created when the head was read. */
  constructor(client: SlowedClient, socket: SlowedSocket, at: Instant) {
    this.#socket = socket;
    this.#whenSent = (done) => client.whenSent(done);
    this.#request = socket.heldUpSince(at);
  }

  uploadBegan(): void {
    this.#uploadFrom = this.#socket.heldUp;
  }

  uploadEnded(): void {
    if (this.#uploadFrom !== null) this.#upload = this.#socket.heldUp - this.#uploadFrom;
  }

  responseBegan(): void {
    this.#responseFrom = this.#socket.heldDown;
  }

  /** Calls `then` once the whole response has left the line, with that moment; or could not, since the client left. */
  afterResponse(then: (at: Instant, isSent: boolean) => void): void {
    this.#whenSent((isSent) => then(this.#socket.now, isSent));
  }

  /** The delays so far; `undefined` if there are none. */
  get slowed(): Slowed | undefined {
    const response = this.#responseFrom === null ? 0 : this.#socket.heldDown - this.#responseFrom;
    const slowed = { request: this.#request, upload: this.#upload, response };
    return slowed.request + slowed.upload + slowed.response > 0 ? Object.freeze(slowed) : undefined;
  }
}

/** The slowing of an exchange; `null` if its connection is not slowed. */
export function slowingOf(client: SlowedClient | null | undefined, at: Instant): Slowing | null {
  const socket = client?.slowed ?? null;
  return client == null || socket === null ? null : new Slowing(client, socket, at);
}
