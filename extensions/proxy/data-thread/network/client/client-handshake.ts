import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { ClientHandshake } from "../relay/exchange-emitter.ts";
import { tlsParametersOf } from "../tls/upstream-tls.ts";

const HANDSHAKES = new WeakMap<Socket, ClientHandshake>();

/** Keeps what a client's handshake, which ended at `at`, has agreed on. */
export function clientHandshakeEnded(secured: TLSSocket, at: Instant): void {
  HANDSHAKES.set(secured, { at, tls: tlsParametersOf(secured), wasEmitted: false });
}

/** The handshake of a client's connection; `null` if the connection has no TLS of ours. */
export function clientHandshakeOf(socket: Socket): ClientHandshake | null {
  return HANDSHAKES.get(socket) ?? null;
}
