import type { Socket } from "node:net";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { Arrival } from "./arrival.ts";
import type { Network } from "./network.ts";
import type { Origin } from "./origin.ts";
import { Recording } from "./recording.ts";

/** A client's socket after CONNECT, and where it wants to go. */
export interface TunnelEnds {
  readonly arrival: Arrival;
  readonly authority: { readonly host: string; readonly port: number };
  readonly socket: Socket;
  readonly address: string;
  readonly isRemote: boolean;
}

/** decisions.md, Words: an untouched or rejected tunnel is one row; an intercepted one has none. */
export function tunnelRecording(ends: TunnelEnds, origin: Origin, { options }: Network): Recording {
  const { arrival, authority, address } = ends;
  return new Recording(options.sink, origin.host, 0, {
    at: arrival.at,
    headReceived: arrival.headReceived,
    method: "CONNECT",
    origin: origin.text,
    target: hostPort(authority.host, authority.port),
    head: arrival.head.text,
    clientAddress: address,
    protocol: arrival.head.version === "1.1" ? "http/1.1" : "http/1.0",
    clientConnection: null,
    clientStream: null,
    tags: ["tunnel"],
  });
}
