import type { SecureContext } from "node:tls";
import type { CaptureSink } from "../../../../src/engine/capture/event.ts";
import type { Settings } from "../../../../src/engine/model/settings.ts";
import type { Instant, Milliseconds } from "../../../../src/engine/model/units.ts";
import type { Clock, LineClock } from "../../process/clock.ts";

export interface NetworkOptions {
  readonly sink: CaptureSink;
  readonly leaves: LeafSource;
  readonly clock: Clock;
  /** The time of slow lines; by default `clock` and the timers of the system. */
  readonly lineClock?: LineClock;
  readonly resolver: Resolver;
  /**
   * Certificates (PEM) trusted for servers; `undefined` for Node's own list. Returns the same array until trust
   * changes.
   */
  readonly upstreamCa: () => readonly string[] | undefined;
  readonly settings: () => NetworkSettings;
  /** The ports on which this process listens, also that of the UI (docs/security.md S11). */
  readonly ownPorts: () => readonly number[];
  /** Our root certificate, for downloading. */
  readonly certificate: () => { readonly pem: string; readonly der: Buffer };
  readonly limits?: Partial<NetworkLimits>;
  /** Writes a line for each event of a connection (`--log-level debug`); absent if no lines are wanted. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Called after reverse or transparent ports have changed. `problems`: why ports could not be opened. */
  readonly onLocalPorts?: (problems: readonly LocalPortProblem[]) => void;
  /** Called once per numbered connection, when a client on this computer has made its first request. */
  readonly onLocalClient?: (client: LocalClient) => void;
  /**
   * Called when a client of the probe host closes soon after its ClientHello. The row of this close may follow later.
   */
  readonly onSilentClose?: (close: SilentClose) => void;
}

/** A client that closed without a TLS alert or a request, and is not known to trust our certificate. */
export interface SilentClose {
  readonly at: Instant;
  /** `host:port` of the server that the client wanted to reach. */
  readonly authority: string;
}

export interface LocalPortProblem {
  readonly entry: string;
  /** The reason, as a sentence. */
  readonly text: string;
}

/** A connection from this computer. `port`: the client's port; `proxyPort`: Weir's port. */
export interface LocalClient {
  readonly connection: number;
  readonly port: number;
  readonly proxyPort: number;
}

/** The settings that the network uses. `probeHost`: without a port. */
export type NetworkSettings = Pick<
  Settings,
  | "bodyCap"
  | "passThrough"
  | "hostOverrides"
  | "reversePorts"
  | "transparentPorts"
  | "tlsExceptions"
  | "hostAuthorities"
  | "upstreamProxy"
  | "upstreamProxyBypass"
  | "clientCertificates"
  | "privateTargetsFromLan"
  | "http2"
  | "http1Hosts"
  | "probeHost"
>;

/** Creates and caches the TLS context for responding as `name`, a host name or an IP address. */
interface LeafSource {
  contextFor(name: string): SecureContext;
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to addresses, in the order in which they are tried. Rejects as `dns.lookup` does. */
export interface Resolver {
  lookup(name: string, events?: LookupEvents): Promise<readonly Address[]>;
}

export interface LookupEvents {
  /** The look-up had to wait for a helper process and begins now. */
  begun(): void;
  /** The result has only one family, because the other one has not been answered yet. Never rejects. */
  late(addresses: Promise<readonly Address[]>): void;
}

export interface NetworkLimits {
  /** docs/security.md L5: the most client connections at once. */
  readonly clients: number;
  /**
   * docs/security.md L5: how long a new connection may send nothing, and how long a head may take after its first byte.
   */
  readonly head: Milliseconds;
  /** docs/security.md L5: how long a client's connection may be idle between two exchanges. */
  readonly idle: Milliseconds;
  /**
   * How long a server's connection may be idle. Most servers close idle connections earlier, which is noticed at once.
   */
  readonly upstreamIdle: Milliseconds;
  /** The time-out of a DNS lookup. Systems give up on a name server after 5 to 10 s. */
  readonly lookup: Milliseconds;
  /** The time-out for connecting, for all addresses together. docs/security.md T1 requires a response within 5 s. */
  readonly connect: Milliseconds;
  /** docs/security.md T1: the time-out of the TLS handshake with a server. */
  readonly handshake: Milliseconds;
  /**
   * Default (Chromium has the same): an HTTP/2 connection that was silent for this long is pinged before it carries a
   * request.
   */
  readonly silentConnection: Milliseconds;
  /** Default (Go has the same): how long a server may send nothing after a PING. */
  readonly ping: Milliseconds;
  /**
   * How long a server may take from the request's last byte to the response's first. Longer than any long poll in use.
   */
  readonly response: Milliseconds;
  /**
   * docs/specification.md, Silent tunnels: how long a client may be silent before the server is dialled, in case the
   * server sends first.
   */
  readonly silence: Milliseconds;
  /**
   * How long a half-closed tunnel may be idle. Also how long a server may leave an HTTP/2 stream open after request and
   * response are complete.
   */
  readonly halfClosed: Milliseconds;
  /**
   * How long a client that half-closed after a whole request may wait for the beginning of its response. Then it counts
   * as disconnected.
   */
  readonly lateAnswer: Milliseconds;
  /**
   * How long a peer may read none of its pending bytes. Progress is visible only in steps of up to a third of 4 MiB, so
   * clients that read less than some 2 KB/s are disconnected.
   */
  readonly stall: Milliseconds;
  /** docs/security.md R10: how long exchanges in flight may take when Weir stops. */
  readonly drain: Milliseconds;
  /** How long a connection may take to close after its last response. */
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
