import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import type { Socket } from "node:net";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { DisconnectPolicy } from "../sockets/disconnect-policy.ts";
import { slowedBelow } from "../sockets/slowed-socket.ts";

/** How often a half-closed client is looked at. docs/security.md F6 requires a reaction within 100 ms. */
const LOOK: Milliseconds = 50;

const NOTHING = Buffer.alloc(0);

/**
 * Called when it is known whether the client received a response. `leftAt`: when it had left; `null` if it received it.
 */
export type OnReceipt = (leftAt: Instant | null) => void;

export interface HalfClosedClient {
  readonly socket: Socket;
  /** The TCP connection, if `socket` is TLS over it; else `socket`. */
  readonly transport: Socket;
  readonly isRemote: boolean;
  readonly policy: DisconnectPolicy;
}

/**
 * Finds out whether a client that has half-closed is still there, without sending anything (docs/security.md F6). In
 * TLS, a FIN means that it has left. Without TLS, a reset in answer to the first bytes after its FIN means that it left
 * at the FIN.
 */
export class HalfClose {
  readonly #client: HalfClosedClient;
  readonly #isTls: boolean;
  readonly #onLeft: () => void;
  readonly #writtenBefore: number;
  #hasWritten = false;
  #leftAt: Instant | null;
  readonly #timer: NodeJS.Timeout;
  #receipts: OnReceipt[] = [];
  #onReceived: (() => void) | null = null;

  /** `at`: when the client half-closed. `onLeft`: called at most once, when a FIN is found in TLS later. */
  constructor(client: HalfClosedClient, at: Instant, onLeft: () => void) {
    this.#client = client;
    this.#isTls = client.transport !== client.socket;
    this.#leftAt = this.#isTls ? null : at;
    this.#onLeft = onLeft;
    this.#writtenBefore = client.socket.bytesWritten;
    this.#timer = setInterval(this.#look, LOOK);
  }

  get hasLeft(): boolean {
    return this.#isTls && hasReceivedFin(this.#client.socket) !== false;
  }

  /** When the client left, should a reset follow; `null` if it was still there after its FIN. */
  get leftAt(): Instant | null {
    return this.#leftAt;
  }

  /** Whether a response is sent of which it is not known yet whether the client received it. */
  get isAwaiting(): boolean {
    return this.#receipts.length > 0;
  }

  /** Must be called before the end of a response is written. Calls `done` when it is known whether it was received. */
  awaitReceipt(done: OnReceipt): void {
    if (this.#leftAt === null) return done(null);
    this.#receipts.push(done);
    setImmediate(() =>
      this.#whenSent(() => {
        const check = (): void => this.#whenSent(() => this.#received(done));
        // Within one computer, the reset has arrived when the write returns.
        if (this.#client.isRemote) setTimeout(check, LOOK);
        else setImmediate(check);
      }),
    );
  }

  /** Calls `then` once nothing is awaited any more. */
  afterReceipts(then: () => void): void {
    if (this.isAwaiting) this.#onReceived = then;
    else then();
  }

  /** Must be called when the socket has closed. `isReset`: whether it failed. */
  closed(isReset: boolean): void {
    this.stop();
    const receipts = this.#receipts;
    this.#receipts = [];
    for (const done of receipts) done(isReset ? this.#leftAt : null);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Calls `then` once everything written so far is sent. Never calls it if the client has reset the connection. */
  #whenSent(then: () => void): void {
    const { socket } = this.#client;
    if (!socket.writable) return;
    socket.write(NOTHING, (error) => {
      if (error === null || error === undefined) then();
    });
  }

  #received(done: OnReceipt): void {
    const at = this.#receipts.indexOf(done);
    if (at < 0) return;
    this.#receipts.splice(at, 1);
    done(null);
    if (!this.isAwaiting) this.#onReceived?.();
  }

  readonly #look = (): void => {
    if (this.hasLeft) {
      this.stop();
      return this.#onLeft();
    }
    const { socket, policy } = this.#client;
    policy.detectReset();
    if (socket.destroyed || socket.writableLength > 0) return;
    // The bytes seen at the last look got no reset, so the client was there to receive them.
    if (this.#hasWritten) this.#leftAt = null;
    this.#hasWritten = socket.bytesWritten > this.#writtenBefore;
  };
}

const DROPPED = Buffer.alloc(16 * 1024);
/** The most reads for one answer. A peer may send bytes after its close_notify, which TLS drops. */
const READS = 4;

/**
 * Whether the peer of a TLS socket that has emitted `end` has also sent a FIN or a reset. `null` where the system gives
 * the socket no descriptor (Windows). Node emits the same `end` for close_notify (RFC 8446, 6.1) and for FIN.
 */
export function hasReceivedFin(socket: Socket): boolean | null {
  const slowed = slowedBelow(socket);
  if (slowed !== null) return slowed.hasReceivedFin;
  const descriptor = descriptorOf(socket);
  if (descriptor === null) return null;
  try {
    for (let reads = 0; reads < READS; reads += 1) if (readSync(descriptor, DROPPED) === 0) return true;
    return false;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
  }
}

/** The descriptor of the TCP connection at the bottom, also for TLS inside TLS. */
function descriptorOf(socket: Socket): number | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null || !("fd" in handle)) return null;
  return typeof handle.fd === "number" && handle.fd >= 0 ? handle.fd : null;
}
