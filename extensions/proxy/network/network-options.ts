import type { SecureContext } from "node:tls";
import type { CaptureSink } from "../../../src/engine/capture/event.ts";
import type { Settings } from "../../../src/engine/model/settings.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { Clock } from "../clock.ts";

/** What the network is given by its owner; it constructs none of it. */
export interface NetworkOptions {
  readonly sink: CaptureSink;
  readonly leaves: LeafSource;
  readonly clock: Clock;
  readonly resolver: Resolver;
  /** PEM certificates trusted for servers; `undefined`: Node's own list. The same array until trust changes. */
  readonly upstreamCa: () => readonly string[] | undefined;
  readonly settings: () => NetworkSettings;
  /** Ports on which this process itself listens, UI included (security.md, S11). */
  readonly ownPorts: () => readonly number[];
  /** Our root's certificate, for download. */
  readonly certificate: () => { readonly pem: string; readonly der: Buffer };
  readonly limits?: Partial<NetworkLimits>;
  /** A client on this computer has begun to ask; called once for each of its connections that has a number. */
  readonly onLocalClient?: (client: LocalClient) => void;
}

/** A connection from this computer, by its number and by what the system knows it by. */
export interface LocalClient {
  readonly connection: number;
  readonly port: number;
  readonly proxyPort: number;
}

/** `probeHost`: without a port. */
export type NetworkSettings = Pick<
  Settings,
  | "bodyCap"
  | "passThrough"
  | "hostOverrides"
  | "tlsExceptions"
  | "upstreamProxy"
  | "upstreamProxyBypass"
  | "clientCertificates"
  | "privateTargetsFromLan"
  | "http2"
  | "http1Hosts"
  | "probeHost"
>;

/** Makes, and keeps, what a TLS server needs to answer as `name` (a host name or an IP address). */
interface LeafSource {
  contextFor(name: string): SecureContext;
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Names to addresses, in the order in which they should be tried; rejects as `dns.lookup` does. */
export interface Resolver {
  lookup(name: string): Promise<readonly Address[]>;
}

export interface NetworkLimits {
  /** security.md, L5. */
  readonly clients: number;
  /** From the first byte of a request head, or the start of a connection, to the head's end (security.md, L5). */
  readonly head: Milliseconds;
  /** Between exchanges only (security.md, L5). */
  readonly idle: Milliseconds;
  /** Our choice: longer than most servers keep an idle connection; they close first, and we see it at once. */
  readonly upstreamIdle: Milliseconds;
  /** Our choice: systems give up on a name server after 5 to 10 s. */
  readonly lookup: Milliseconds;
  /** Over all addresses; security.md, T1 wants an answer within 5 s. */
  readonly connect: Milliseconds;
  /** security.md, T1. */
  readonly handshake: Milliseconds;
  /** Our choice, as Chromium's: a session that was silent for so long is asked (PING) when it is to carry a request. */
  readonly silentSession: Milliseconds;
  /** Our choice, as Go's: how long that question may stay unanswered. */
  readonly ping: Milliseconds;
  /** Our choice, from the request's last byte to the response's first: longer than any long poll in use. */
  readonly response: Milliseconds;
  /** wire.md, 1: a tunnel whose client says nothing for so long is dialled, in case the server speaks first. */
  readonly silence: Milliseconds;
  /**
   * Our choice: how long a tunnel of which one side has ended may be silent (L5 exempts only those with two), and a stream
   * of a server on which both have said all may stay without its end.
   */
  readonly halfClosed: Milliseconds;
  /**
   * Our choice: who ends its side and goes on listening does so right behind its request; who does it later than this, within
   * its answer, has gone (security.md, F6).
   */
  readonly lastWord: Milliseconds;
  /**
   * Our choice: how long a peer may seem to take nothing of what it is still to be sent when all else is over. Of a slow reader
   * that is seen in steps of up to a third of 4 MiB (debt.ts): this lets go who reads less than some 2 KB/s.
   */
  readonly owed: Milliseconds;
  /** security.md, R10. */
  readonly drain: Milliseconds;
  /** Our choice: how long a connection that has had its last answer may take to close. */
  readonly linger: Milliseconds;
}

export const NETWORK_LIMITS: NetworkLimits = Object.freeze({
  clients: 1_000,
  head: 30_000,
  idle: 120_000,
  upstreamIdle: 55_000,
  lookup: 15_000,
  connect: 4_500,
  handshake: 15_000,
  silentSession: 10_000,
  ping: 15_000,
  response: 600_000,
  silence: 300,
  halfClosed: 60_000,
  lastWord: 500,
  owed: 600_000,
  drain: 3_000,
  linger: 2_000,
});
