import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Bytes, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { KEEP_ALIVE } from "./keep-alive.ts";

const NOTHING = Buffer.alloc(0);

/**
 * A client that has ended its side: it listens on, or has closed, which looks the same. The system asks it by and by; that of
 * one that has closed answers with a reset, once it has forgotten the connection (on Linux after a minute).
 */
export class SilentClient {
  readonly #socket: Socket;
  readonly #transport: Socket;
  /** Bytes that it has taken, and since when it takes no more of what there is. */
  #taken: Bytes = 0;
  #stuckSince: Instant | null = null;
  #isAsked = false;

  constructor(socket: Socket, transport: Socket) {
    this.#socket = socket;
    this.#transport = transport;
  }

  /** To be asked about once a second. `limit`: how long it may take nothing. */
  isStuck(now: Instant, limit: Milliseconds): boolean {
    if (!this.#isAsked) this.#transport.setKeepAlive(KEEP_ALIVE);
    this.#isAsked = true;
    // Node reads no more of it, and so hears of a reset only when it writes; to write nothing is enough, and then ends the socket.
    if (this.#transport.writable) this.#transport.write(NOTHING);
    // Of a reset that met what TLS itself had to say (tickets of its session) not even that tells, and nothing is written any more.
    const { writableLength, bytesWritten } = this.#socket;
    const taken = bytesWritten - writableLength;
    if (writableLength === 0 || taken !== this.#taken) this.#stuckSince = null;
    else this.#stuckSince ??= now;
    this.#taken = taken;
    return this.#stuckSince !== null && now - this.#stuckSince > limit;
  }
}
