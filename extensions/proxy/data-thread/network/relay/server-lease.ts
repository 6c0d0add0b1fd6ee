import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { RequestEdits } from "../http1/forwarded-head.ts";
import type { RequestHead } from "../http1/message.ts";
import type { Relocation } from "../http1/relocated-head.ts";
import { fitsHttp2 } from "../http2/message-text.ts";
import type { Origin, Server } from "../origin.ts";
import type { OnDialed } from "../upstream/connect-result.ts";
import type { Http2Use, RefusalOf, Route } from "../upstream/route.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import { UpstreamConnection } from "../upstream/upstream-connection.ts";
import type { Client, RelayNetwork } from "./client-exchange.ts";

/** Schemes that authenticate a connection instead of a request (Negotiate: RFC 4559, 4). */
const CONNECTION_AUTHENTICATION = /\n(?:www-authenticate|authorization):[ \t]*(?:NTLM|Negotiate)/i;

/**
 * Whether this head belongs to an NTLM or Negotiate handshake, which authenticates the connection rather than the
 * request.
 */
function authenticatesConnection(head: string): boolean {
  // Looks for the words first, which is far cheaper than the pattern; almost no head contains them.
  return (head.includes("NTLM") || head.includes("egotiate")) && CONNECTION_AUTHENTICATION.test(head);
}

/** One exchange's use of a server connection: the client's own, one from the pool, or a new one. */
export class ServerLease {
  readonly #route: Route;
  readonly #client: Client;
  readonly #network: RelayNetwork;
  #connection: ServerConnection | null = null;
  #cancelDial: (() => void) | null = null;
  #isClients = false;

  constructor(route: Route, client: Client, network: RelayNetwork) {
    this.#route = route;
    this.#client = client;
    this.#network = network;
  }

  get connection(): ServerConnection | null {
    return this.#connection;
  }

  /**
   * Takes an open connection: the client's own, else one from the pool; `null` if there is none. `isRepeatable`: as in
   * `ConnectionPool.acquire`.
   */
  takeKnown(isRepeatable: boolean): ServerConnection | null {
    const { upstream } = this.#network;
    const bound = this.#client.peer.bound.get(this.#route.key) ?? null;
    this.#client.peer.bound.delete(this.#route.key);
    const own = bound !== null && upstream.isUsable(bound, this.#route, this.#refusalOf) ? bound : null;
    if (own === null) bound?.destroy();
    this.#isClients = own !== null;
    this.#connection = own ?? upstream.acquire(this.#route, this.#refusalOf, isRepeatable);
    return this.#connection;
  }

  /** Requests a new connection, and calls `done` later. `drop` cancels the request. */
  connect(isRepeatable: boolean, done: OnDialed): void {
    this.#connection = null;
    this.#cancelDial = this.#network.upstream.connect(
      this.#route,
      this.#refusalOf,
      isRepeatable,
      (result, waitedFor) => {
        this.#cancelDial = null;
        if (result.kind === "connected") this.#connection = result.connection;
        done(result, waitedFor);
      },
    );
  }

  /**
   * Must be called with each head on the connection. After a head with NTLM or Negotiate, the connection is reserved
   * for this client.
   */
  observeHead(head: string): void {
    this.#isClients ||= authenticatesConnection(head);
  }

  /**
   * Whether the server has read none of the pending request for `limits.stall`. Always false over HTTP/2, whose
   * connections detect stalls themselves.
   */
  isStalled(now: Instant): boolean {
    const { stall } = this.#network.limits;
    return this.#connection instanceof UpstreamConnection && this.#connection.isStalled(now, stall);
  }

  /** Gives the connection back for reuse: to the client if it is reserved, else to the pool. */
  release(): void {
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    if (!(connection instanceof UpstreamConnection)) return connection.destroy();
    if (connection.socket.isPaused()) connection.socket.resume();
    if (!this.#isClients) return this.#network.upstream.release(connection);
    connection.used = true;
    connection.user = null;
    this.#client.peer.bound.get(this.#route.key)?.destroy();
    this.#client.peer.bound.set(this.#route.key, connection);
  }

  /** Closes the connection, or cancels the dial. `code`: the code with which the client reset its stream. */
  drop(code: number | null = null): void {
    this.#cancelDial?.();
    this.#connection?.destroy(code);
    this.#connection = null;
  }

  readonly #refusalOf: RefusalOf = (address, isGiven) =>
    this.#network.refusalOf(address, this.#client.peer.reach, isGiven);
}

/** Where a request is sent, and what changes in the heads of the request and the response. */
export interface Forward {
  readonly origin: Origin;
  /** Where to connect (`InnerRoute`); `null` for the origin's own host and port. */
  readonly at: Server | null;
  /** The target that is sent to the server: origin-form or `*`. */
  readonly target: string;
  /** The value of Host to send; `null` to forward Host as received. */
  readonly host: string | null;
  /** What changes in the response's head for a client of a reverse port; `null` for nothing. */
  readonly relocation: Relocation | null;
}

/**
 * How HTTP/2 may be used for a request. Upgrades, authentication of connections and overlong fields need HTTP/1.1.
 * HTTP/2 without TLS is used only if the client also uses HTTP/2 without TLS.
 */
export function http2UseOf(head: RequestHead, { origin }: Forward, client: Client): Http2Use {
  const use = origin.scheme === "https" ? "offered" : "known";
  if (use === "known" && client.stream === null) return "never";
  return head.upgrade !== null || authenticatesConnection(head.text) || !fitsHttp2(head) ? "never" : use;
}

/**
 * The changes to the request's head. An upstream proxy that fetches the response gets the absolute URL and our
 * credentials.
 */
export function editsFor(destination: Forward, { proxy, fetches }: Route): RequestEdits {
  const { origin, target, host } = destination;
  if (!fetches) return { target, host, authorization: null };
  // RFC 9112, 3.2.4: the target of OPTIONS for a whole server has no path.
  const path = target === "*" ? "" : target;
  return { target: origin.text + path, host, authorization: proxy?.authorization ?? null };
}
