import type { Socket } from "node:net";
import type { Bytes, Instant, Milliseconds } from "../../../src/engine/model/units.ts";

/**
 * What a peer has yet to take of what was written to it, and since when it takes none of that. It is seen in large steps: Node
 * tells when a whole piece is gone, and Linux takes more when a third of its buffer is free, which has up to 4 MiB (tcp(7)).
 */
export class Debt {
  readonly #socket: Pick<Socket, "writableLength" | "bytesWritten">;
  #taken: Bytes = 0;
  #stuckSince: Instant | null = null;

  constructor(socket: Pick<Socket, "writableLength" | "bytesWritten">) {
    this.#socket = socket;
  }

  /** To be asked about once a second: whether nothing was taken for longer than `limit`, though there is something. */
  isStuck(now: Instant, limit: Milliseconds): boolean {
    const { writableLength } = this.#socket;
    if (writableLength === 0) {
      this.#stuckSince = null;
      return false;
    }
    const taken = this.#socket.bytesWritten - writableLength;
    if (taken !== this.#taken) this.#stuckSince = null;
    this.#stuckSince ??= now;
    this.#taken = taken;
    return now - this.#stuckSince > limit;
  }
}
