import type { Socket } from "node:net";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { Client, RelayNetwork } from "../relay/client-exchange.ts";
import type { ClientLines } from "./client-lines.ts";
import type { Ingress, InnerRoute, ReverseRoute } from "./destination.ts";
import type { Piece } from "./input-queue.ts";
import type { Refusals } from "./refusals.ts";
import type { ClientHostPair, SilentCloses } from "./silent-closes.ts";

export interface ClientNetwork extends Omit<NetworkOptions, "limits">, RelayNetwork {
  readonly silentCloses: SilentCloses;
  readonly refusals: Refusals;
  readonly lines: Pick<ClientLines, "named">;
  isOwnAddress(address: string): boolean;
  /** Returns the next connection number, from 1 on. Called at the first request of a connection. */
  nextClientConnection(socket: Socket, isRemote: boolean): number;
  /** Reads HTTP/1 requests from `socket` until it is passed on. */
  serve(socket: Socket, ingress: Ingress, options?: ServeOptions): Pick<Client, "handOver">;
  /** Reads HTTP/2 requests from `socket`. */
  serveHttp2(socket: Socket, ingress: InnerRoute | ReverseRoute, options?: Http2ServeOptions): void;
  /** Serves a SOCKS connection on the proxy's port. `early`: bytes that were already read from it. */
  serveSocks(socket: Socket, early: Buffer): void;
}

export interface ServeOptions {
  /** Bytes that were already read from the socket. */
  readonly early?: Piece;
  readonly unused?: Unused;
  /** The client and the host, as a pair. `requestAt` is set when requests and their responses end. */
  readonly clientHost?: ClientHostPair;
  /** The TCP connection below, if `socket` is TLS. */
  readonly transport?: Socket;
  /** The number of the socket's TCP connection, if assigned already. */
  readonly connection?: number;
  /**
   * Only for requests sent from the UI. Called with the exchange of each request; with `null` if the exchange is not
   * recorded.
   */
  readonly resent?: (exchange: ExchangeId | null) => void;
}

export type Http2ServeOptions = Pick<ServeOptions, "unused" | "clientHost" | "connection">;

/** Called when a connection closes without having received a byte. */
export type Unused = (error: Error | null) => void;
