import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { KEEP_ALIVE } from "./keep-alive.ts";

const NOTHING = Buffer.alloc(0);

/**
 * A client that has ended its side: it listens on, or has closed, which looks the same. The system asks it by and by; that of
 * one that has closed answers with a reset, once it has forgotten the connection (on Linux after a minute). Of a reset that met
 * what TLS itself had to say (tickets of its session) not even that tells: then it only takes no more (debt.ts).
 */
export class SilentClient {
  readonly #transport: Socket;
  #isAsked = false;

  constructor(transport: Socket) {
    this.#transport = transport;
  }

  /** To be called about once a second. */
  ask(): void {
    if (!this.#isAsked) this.#transport.setKeepAlive(KEEP_ALIVE);
    this.#isAsked = true;
    // Node reads no more of it, and so hears of a reset only when it writes; to write nothing is enough, and then ends the socket.
    if (this.#transport.writable) this.#transport.write(NOTHING);
  }
}
