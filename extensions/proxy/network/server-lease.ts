import type { Client } from "./client-exchange.ts";
import type { Connected } from "./connect-result.ts";
import type { Network } from "./network.ts";
import type { ServerConnection } from "./server-connection.ts";
import { UpstreamConnection } from "./upstream-connection.ts";
import type { Way } from "./way.ts";

/** RFC 4559, 4 and the like: these authenticate a connection, not a request. */
const CONNECTION_AUTHENTICATION = /\n(?:www-authenticate|authorization):[ \t]*(?:NTLM|Negotiate)/i;

/** Whether `head` is part of a dance that ends with a connection that knows its user. */
export function authenticatesConnection(head: string): boolean {
  // A plain search first: almost no head has the words, and the pattern is far dearer.
  return (head.includes("NTLM") || head.includes("egotiate")) && CONNECTION_AUTHENTICATION.test(head);
}

/** One exchange's hold on a connection to its server: from the client's own, from the pool, or new. */
export class ServerLease {
  readonly #way: Way;
  readonly #client: Client;
  readonly #network: Network;
  #connection: ServerConnection | null = null;
  #cancelDial: (() => void) | null = null;
  #isClients = false;

  constructor(way: Way, client: Client, network: Network) {
    this.#way = way;
    this.#client = client;
    this.#network = network;
  }

  get connection(): ServerConnection | null {
    return this.#connection;
  }

  /** A connection that is there already, or `null`. `isRepeatable` as `Upstream.take` has it. */
  takeKnown(isRepeatable: boolean): ServerConnection | null {
    const { upstream } = this.#network;
    const bound = this.#client.bound.get(this.#way.key) ?? null;
    this.#client.bound.delete(this.#way.key);
    const own = bound !== null && upstream.isUsable(bound, this.#way, this.#allows) ? bound : null;
    if (own === null) bound?.destroy();
    this.#isClients = own !== null;
    this.#connection = own ?? upstream.take(this.#way, this.#allows, isRepeatable);
    return this.#connection;
  }

  /** A new one; `done` comes later, unless the lease is dropped. */
  connect(isRepeatable: boolean, done: Connected): void {
    this.#connection = null;
    this.#cancelDial = this.#network.upstream.connect(this.#way, this.#allows, isRepeatable, (result, waitedFor) => {
      this.#cancelDial = null;
      if (result.kind === "connected") this.#connection = result.connection;
      done(result, waitedFor);
    });
  }

  /** `head` went over the connection: one that authenticates its client belongs to that client from then on. */
  saw(head: string): void {
    this.#isClients ||= authenticatesConnection(head);
  }

  /** The exchange is over and the connection can carry another. */
  giveBack(): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    if (!(connection instanceof UpstreamConnection)) return connection.destroy();
    if (connection.socket.isPaused()) connection.socket.resume();
    if (!this.#isClients) return this.#network.upstream.release(connection);
    connection.used = true;
    connection.user = null;
    this.#client.bound.get(this.#way.key)?.destroy();
    this.#client.bound.set(this.#way.key, connection);
  }

  /** Ends the connection, or the attempt to get one. `code`: by which the client has reset its stream. */
  drop(code: number | null = null): void {
    this.#cancelDial?.();
    this.#connection?.destroy(code);
    this.#connection = null;
  }

  readonly #allows = (address: string): boolean => this.#network.mayReach(address, this.#client.isRemote);
}
