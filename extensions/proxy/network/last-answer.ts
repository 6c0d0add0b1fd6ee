import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { Life, Network } from "./network.ts";

/**
 * The end of a client's socket that has been written its last answer, and that nobody else listens to any more: waits for the
 * client to end its side too, since to close over bytes that were not read is a reset, which could outrun the answer.
 */
export class LastAnswer implements Life {
  readonly #socket: Socket;
  readonly #network: Network;
  readonly #since: Instant;

  constructor(socket: Socket, network: Network) {
    this.#socket = socket;
    this.#network = network;
    this.#since = network.options.clock.now();
    network.lives.add(this);
    socket.on("close", () => network.lives.delete(this));
    socket.on("end", () => socket.destroySoon());
    socket.end();
    if (socket.readableEnded) socket.destroySoon();
    socket.resume();
  }

  expire(now: Instant): void {
    if (now - this.#since > this.#network.limits.linger) this.#socket.destroy();
  }

  drain(): void {
    this.#socket.destroySoon();
  }

  stop(): void {
    this.#socket.destroy();
  }
}
