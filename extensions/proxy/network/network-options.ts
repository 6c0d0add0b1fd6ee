import type { SecureContext } from "node:tls";
import type { CaptureSink } from "../../../src/engine/capture/event.ts";
import type { Settings } from "../../../src/engine/model/settings.ts";
import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import type { Clock } from "../process/clock.ts";

/** What the owner passes to the network, which constructs none of it. */
export interface NetworkOptions {
  readonly sink: CaptureSink;
  readonly leaves: LeafSource;
  readonly clock: Clock;
  readonly resolver: Resolver;
  /** PEM certificates trusted for servers; `undefined`: Node's own list. The same array while trust is unchanged. */
  readonly upstreamCa: () => readonly string[] | undefined;
  readonly settings: () => NetworkSettings;
  /** Ports on which this process listens, UI included (docs/security.md S11). */
  readonly ownPorts: () => readonly number[];
  /** Our root certificate, for download. */
  readonly certificate: () => { readonly pem: string; readonly der: Buffer };
  readonly limits?: Partial<NetworkLimits>;
  /** Writes a line for each event of a connection (`--log-level debug`); absent: none are written. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Called each time that the reverse ports were opened and closed; with those that could not be opened. */
  readonly onReversePorts?: (problems: readonly ReverseProblem[]) => void;
  /** A client on this computer made its first request; called once per numbered connection. */
  readonly onLocalClient?: (client: LocalClient) => void;
  /**
   * A client of the probe host closed right after our certificate; called at once, although the row may be recorded
   * later.
   */
  readonly onSilentClose?: (close: SilentClose) => void;
}

/** A client that closed without an alert and without a request, and is not known to trust our certificate. */
export interface SilentClose {
  readonly at: Instant;
  /** `host:port`, with the name that its TLS requested. */
  readonly authority: string;
}

/** Why a reverse port is not open. */
export interface ReverseProblem {
  /** The setting's entry. */
  readonly entry: string;
  /** A sentence. */
  readonly text: string;
}

/** A connection from this computer, by its number and by its addresses. */
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
  | "reversePorts"
  | "tlsExceptions"
  | "upstreamProxy"
  | "upstreamProxyBypass"
  | "clientCertificates"
  | "privateTargetsFromLan"
  | "http2"
  | "http1Hosts"
  | "probeHost"
>;

/** Creates and caches the TLS context for answering as `name` (a host name or an IP address). */
interface LeafSource {
  contextFor(name: string): SecureContext;
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to addresses, in the order in which to try them; rejects as `dns.lookup` does. */
export interface Resolver {
  lookup(name: string): Promise<readonly Address[]>;
}

export interface NetworkLimits {
  /** docs/security.md L5. */
  readonly clients: number;
  /** From a request head's first byte, or the connection's start, to the head's end (docs/security.md L5). */
  readonly head: Milliseconds;
  /** Between exchanges only (docs/security.md L5). */
  readonly idle: Milliseconds;
  /**
   * Default; not from a specification. Longer than most servers keep an idle connection: their close is detected at
   * once.
   */
  readonly upstreamIdle: Milliseconds;
  /** Default; not from a specification. Systems give up on a name server after 5 to 10 s. */
  readonly lookup: Milliseconds;
  /** Over all addresses; docs/security.md T1 requires a response within 5 s. */
  readonly connect: Milliseconds;
  /** docs/security.md T1. */
  readonly handshake: Milliseconds;
  /**
   * Default; not from a specification, as in Chromium. An HTTP/2 connection idle for this long is pinged before it
   * carries a request.
   */
  readonly silentConnection: Milliseconds;
  /** Default; not from a specification, as in Go. How long that PING may stay unacknowledged. */
  readonly ping: Milliseconds;
  /**
   * Default; not from a specification. From the request's last byte to the response's first: longer than any long poll
   * in use.
   */
  readonly response: Milliseconds;
  /**
   * docs/specification.md, Silent tunnels: after this much silence of the client the server is dialled, in case the
   * server sends first.
   */
  readonly silence: Milliseconds;
  /**
   * Default; not from a specification. Idle limit of a half-closed tunnel (L5 exempts only those open on both sides),
   * and of an HTTP/2 stream whose request and response are complete but which the server has not ended.
   */
  readonly halfClosed: Milliseconds;
  /** A client that half-closed after a whole request counts as disconnected if its response has not begun by then. */
  readonly lateAnswer: Milliseconds;
  /**
   * Default; not from a specification. How long a peer may take none of its pending bytes. A slow reader's progress
   * shows in steps of up to a third of 4 MiB, so this disconnects clients below some 2 KB/s.
   */
  readonly stall: Milliseconds;
  /** docs/security.md R10. */
  readonly drain: Milliseconds;
  /** Default; not from a specification. How long a connection may take to close after its last response. */
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
  silentConnection: 10_000,
  ping: 15_000,
  response: 600_000,
  silence: 300,
  halfClosed: 60_000,
  lateAnswer: 5_000,
  stall: 600_000,
  drain: 3_000,
  linger: 2_000,
});
