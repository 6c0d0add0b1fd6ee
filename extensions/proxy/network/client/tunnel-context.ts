import type { Socket } from "node:net";
import { hostPort } from "../../../../src/engine/model/host-port.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { Origin, Server } from "../origin.ts";
import { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import type { ConnectionLog } from "../sockets/connection-log.ts";
import type { ReceivedHead } from "./received-head.ts";

/** A client's socket after CONNECT, and its requested destination. */
export interface TunnelContext {
  readonly request: ReceivedHead;
  readonly authority: Server;
  readonly socket: Socket;
  readonly address: string;
  readonly isRemote: boolean;
  /** Number of the client's connection. */
  readonly connection: number;
}

/** docs/specification.md, Exchange: an untouched or rejected tunnel is one row; an intercepted one has none. */
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
    head: request.head.text,
    clientAddress: address,
    protocol: request.head.version === "1.1" ? "http/1.1" : "http/1.0",
    clientConnection: connection,
    clientStream: null,
    tags: ["tunnel"],
    log: context.socket === undefined ? null : (log?.clientEvents(context.socket) ?? null),
  });
}
