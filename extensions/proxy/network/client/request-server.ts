import type { Socket } from "node:net";
import type { Client } from "../relay/client-exchange.ts";
import type { Ingress, ReverseRoute } from "./destination.ts";
import type { InnerRoute } from "./tunnel-route.ts";
import type { Visit } from "./visits.ts";

/** Reads requests from sockets, also from those inside a tunnel. */
export interface RequestServer {
  /** Reads requests from `socket` until it is handed over. */
  serve(socket: Socket, ingress: Ingress, options?: ServeOptions): Pick<Client, "handOver">;
  /** Likewise, over HTTP/2. */
  serveHttp2(socket: Socket, ingress: InnerRoute | ReverseRoute, options?: Http2ServeOptions): void;
  /** Serves a SOCKS connection on the proxy's port. `early`: bytes that were read from it already. */
  serveSocks(socket: Socket, early: Buffer): void;
}

export interface ServeOptions {
  /** Bytes already read from the socket. */
  readonly early?: Buffer;
  readonly unused?: Unused;
  /** The client's visit to the host; updated when requests arrive. */
  readonly visit?: Visit;
  /** The TCP connection beneath, where `socket` is TLS. */
  readonly transport?: Socket;
  /** The number already assigned to its TCP connection. */
  readonly connection?: number;
  /** Whether its requests were sent from the UI. */
  readonly resent?: boolean;
}

export type Http2ServeOptions = Pick<ServeOptions, "unused" | "visit" | "connection">;

/** Called when a connection closes on which no byte arrived. */
export type Unused = (error: Error | null) => void;
