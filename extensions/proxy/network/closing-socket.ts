import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import { Debt } from "./debt.ts";
import type { Life, Network } from "./network.ts";

/**
 * The end of a socket that has been written its last, and that nobody else listens to any more: waits for the other side to
 * end too, since to close over bytes that were not read is a reset, which could outrun what was written. Who does not even
 * take that would be waited for without end.
 */
export class ClosingSocket implements Life {
  readonly #socket: Socket;
  readonly #network: Network;
  readonly #debt: Debt;
  /** Since when there is no more to be sent. */
  #since: Instant;

  constructor(socket: Socket, network: Network) {
    this.#socket = socket;
    this.#network = network;
    this.#debt = new Debt(socket);
    this.#since = network.options.clock.now();
    if (socket.destroyed) return;
    network.lives.add(this);
    socket.on("close", () => network.lives.delete(this));
    socket.on("end", () => socket.destroySoon());
    socket.end();
    if (socket.readableEnded) socket.destroySoon();
    socket.resume();
  }

  expire(now: Instant): void {
    const { owed, linger } = this.#network.limits;
    if (this.#socket.writableLength > 0) this.#since = now;
    if (this.#debt.isStuck(now, owed) || now - this.#since > linger) this.#socket.destroy();
  }

  /** Closes as soon as all has been sent. */
  drain(): void {
    this.#socket.destroySoon();
  }

  stop(): void {
    this.#socket.destroy();
  }
}
