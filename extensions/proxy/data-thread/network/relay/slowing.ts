import type { Instants, Slowed } from "../../../../../src/engine/model/phases.ts";
import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import type { SlowedSocket } from "../sockets/slowed-socket.ts";
import type { Client } from "./client-exchange.ts";

/** What an exchange needs of a client on a slow line. */
export type SlowedClient = Pick<Client, "slowed" | "whenSent">;

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
export function slowingOf(client: SlowedClient | null | undefined, at: Instants["startTime"]): Slowing | null {
  const socket = client?.slowed ?? null;
  return client == null || socket === null ? null : new Slowing(client, socket, at);
}
