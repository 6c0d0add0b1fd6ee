import type { Socket } from "node:net";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { RequestHead } from "../http1/message.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { Origin, Server } from "../origin.ts";
import { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import { bytesOf } from "../relay/generated-response.ts";
import { failureResponse } from "../relay/local-exchange.ts";
import type { ConnectionLog } from "../sockets/connection-log.ts";
import type { Failure } from "../sockets/error-type.ts";
import type { TransparentArrival } from "./destination.ts";

/** A client's request for a tunnel, by CONNECT, by SOCKS or at a transparent port, and the replies to it. */
export interface TunnelRequest {
  /** When the first byte of the request arrived. */
  readonly at: Instant;
  readonly headReceived: Instant;
  /** The request's head, as the row shows it: latin1, with the final empty line. */
  readonly head: string;
  readonly protocol: "http/1.1" | "http/1.0" | "socks5" | "tls";
  /** The User-Agent of the request (RFC 9110, 10.1.5); "" if there is none. */
  readonly userAgent: string;
  /** The reply once the tunnel is open, and how the row shows it. */
  readonly established: { readonly bytes: Buffer; readonly head: string };
  refusal(failure: Failure): TunnelRefusal;
}

/** `status`: the HTTP status; `null` in SOCKS and TLS. */
interface TunnelRefusal {
  readonly bytes: Buffer;
  readonly status: number | null;
}

export function httpRefusal(failure: Failure): TunnelRefusal {
  const response = failureResponse(failure);
  return { bytes: bytesOf(response), status: response.status };
}

/** A client's socket after its request for a tunnel, and where the tunnel is to lead. */
export interface TunnelContext {
  readonly request: TunnelRequest;
  readonly authority: Server;
  readonly socket: Socket;
  readonly address: string;
  /** Set if the client came to a transparent port. */
  readonly arrival: TransparentArrival | null;
  readonly connection: number;
}

/**
 * Starts the row of a tunnel that passes untouched or is rejected. An intercepted tunnel has no row
 * (docs/specification.md, Exchange).
 */
export function tunnelEmitter(
  context: Pick<TunnelContext, "request" | "address" | "connection"> & { readonly socket?: Socket },
  origin: Origin,
  { sink, log }: Pick<NetworkOptions, "sink"> & { readonly log: ConnectionLog | null },
): ExchangeEmitter {
  const { request, address, connection } = context;
  return new ExchangeEmitter(sink, origin.host, 0, {
    at: request.at,
    headReceived: request.headReceived,
    method: "CONNECT",
    origin: origin.text,
    target: hostPort(origin.host, origin.port),
    head: request.head,
    clientAddress: address,
    protocol: request.protocol,
    clientConnection: connection,
    tags: ["tunnel"],
    log: context.socket === undefined ? null : (log?.clientEvents(context.socket) ?? null),
  });
}

export interface ReceivedHead {
  readonly head: RequestHead;
  readonly at: Instant;
  readonly headReceived: Instant;
}
