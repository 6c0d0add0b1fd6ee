import { isIP, type Socket } from "node:net";
import type { TlsFacts } from "../../../../../src/engine/capture/event.ts";
import type { ErrorType } from "../../../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../../../src/engine/model/phases.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Address, NetworkLimits, NetworkOptions } from "../network-options.ts";
import type { Server } from "../origin.ts";
import { isLoopback, plainAddress } from "../sockets/address.ts";
import type { LogEvent } from "../sockets/connection-log.ts";
import { errorTypeOf, type Failure, LED_BACK } from "../sockets/error-type.ts";
import type { Handshake, TlsTarget, UpstreamTls } from "../tls/upstream-tls.ts";
import { AddressRace } from "./address-race.ts";
import { openTunnel, proxyFailure } from "./proxy-connect.ts";
import { type RefusalOf, type Route, routeRefusal, type UpstreamProxy } from "./route.ts";

/** The ALPN protocols to offer (RFC 7301), in order of preference. */
export const HTTP1: readonly string[] = Object.freeze(["http/1.1"]);
export const HTTP2_OR_1: readonly string[] = Object.freeze(["h2", "http/1.1"]);

/** The instants of an exchange that a new connection sets. */
export type DialTimes = Pick<
  Instants,
  "domainLookupStart" | "domainLookupEnd" | "connectStart" | "secureConnectionStart" | "connectEnd"
>;

/** The times of an exchange that needed no dial. */
export const NO_DIAL: DialTimes = Object.freeze({
  domainLookupStart: null,
  domainLookupEnd: null,
  connectStart: null,
  secureConnectionStart: null,
  connectEnd: null,
});

export interface DialPlan {
  readonly route: Route;
  /** Whether to begin TLS once the server is connected. */
  readonly secure: boolean;
  /** The ALPN protocols to offer; empty for no ALPN. */
  readonly protocols: readonly string[];
  /** Why an address may not be tried. */
  readonly refusalOf: RefusalOf;
}

/** A connection to a server. */
export interface Dialled {
  readonly socket: Socket;
  readonly times: DialTimes;
  readonly tls: TlsFacts | null;
  /** Whether the certificate failed verification and a setting allowed that. */
  readonly unverifiedAllowed: boolean;
}

/** A connection to a server for exchanges: what stays the same whichever of them it carries. */
export interface PooledSocket extends Dialled {
  /** The connection's number, from 1 on; never used again. */
  readonly id: number;
  /** As in `Route`. */
  readonly key: string;
  /** The server's IP address. */
  readonly address: string;
  readonly addressAndPort: string;
  readonly openedAt: Instant;
  /** `UpstreamTls.currentGeneration` when the certificate was verified; 0 without TLS. */
  readonly generation: number;
  /** Writes the connection's events to the debug log; `null` if that is off. */
  readonly log: LogEvent | null;
  /** Whether `connection-opened` was emitted. */
  wasEmitted: boolean;
}

export type DialResult = ({ readonly kind: "connected" } & Dialled) | DialFailed;

export interface DialFailed {
  readonly kind: "failed";
  readonly failure: Failure;
  readonly times: DialTimes;
}

type DialContext = Pick<NetworkOptions, "clock" | "resolver" | "ownPorts"> & {
  readonly limits: NetworkLimits;
  readonly tls: UpstreamTls;
  readonly dialled: DialledSockets;
  /** Writes the dial's events to the debug log; `null` if that is off. */
  readonly log: LogEvent | null;
};

/**
 * One attempt to connect to a server: DNS lookup, TCP (to several addresses, staggered), TLS. With an upstream proxy,
 * DNS and TCP are for the proxy. Calls `done` exactly once, asynchronously; never after `cancel`.
 */
export class Dial {
  readonly #plan: DialPlan;
  readonly #context: DialContext;
  readonly #done: (result: DialResult) => void;
  readonly #times = { ...NO_DIAL };
  #race: AddressRace | null = null;
  /** The sockets connected so far: TCP, and TLS over it. */
  readonly #sockets: Socket[] = [];
  /** The upstream proxy; `null` without one, and after the server is reached. Errors before that are the proxy's. */
  #proxy: UpstreamProxy | null;
  #deadline: NodeJS.Timeout | undefined;
  #over = false;

  constructor(plan: DialPlan, context: DialContext, done: (result: DialResult) => void) {
    this.#plan = plan;
    this.#context = context;
    this.#done = done;
    this.#proxy = plan.route.proxy;
  }

  /** Starts after this turn of the event loop, because the client may reset its request within the turn. */
  start(): void {
    setImmediate(() => {
      if (this.#over) return;
      const problem = this.#knownFailure();
      const { host } = this.#peer;
      const family = isIP(host);
      if (problem !== null) this.#fail(problem);
      else if (family !== 0) this.#connect([{ address: host, family: family === 6 ? 6 : 4 }], null);
      else void this.#lookup(host);
    });
  }

  cancel(): void {
    this.#end();
    this.#race?.cancel();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The host and port to which TCP connects. */
  get #peer(): Server {
    const { override, proxy, at, origin } = this.#plan.route;
    return override ?? proxy?.origin ?? at ?? origin;
  }

  /** A failure that is known without an attempt to connect; `null` if there is none. */
  #knownFailure(): Failure | null {
    const { route, secure, refusalOf } = this.#plan;
    if (secure && route.identity?.kind === "unusable")
      return { errorType: "tls-client-certificate", detail: route.identity.detail };
    // With an upstream proxy, a target that is an IP address is checked here; the proxy resolves names.
    return route.proxy === null ? null : routeRefusal(route, refusalOf, "");
  }

  async #lookup(host: string): Promise<void> {
    this.#context.log?.(`looks up ${host}`);
    this.#times.domainLookupStart = this.#context.clock.now();
    this.#limit(this.#context.limits.lookup, "name-not-resolved", "The look-up of the server's name took too long.");
    try {
      let late: Promise<readonly Address[]> | null = null;
      const addresses = await this.#context.resolver.lookup(host, {
        begun: () => {
          if (!this.#over) this.#times.domainLookupStart = this.#context.clock.now();
        },
        late: (others) => {
          late = others;
        },
      });
      this.#times.domainLookupEnd = this.#context.clock.now();
      this.#connect(addresses, late);
    } catch (error) {
      this.#times.domainLookupEnd = this.#context.clock.now();
      if (!(error instanceof Error)) throw error;
      this.#fail(errorTypeOf(error));
    }
  }

  /** `late`: further addresses, `null` if there are none. */
  #connect(addresses: readonly Address[], late: Promise<readonly Address[]> | null): void {
    if (this.#over) return;
    const allowed = this.#allowed(addresses);
    if (allowed.length === 0 && late !== null)
      return void late.then((others) => this.#connect([...addresses, ...others], null));
    if (addresses.length === 0)
      return this.#fail({ errorType: "name-not-resolved", detail: "The server's name has no address." });
    const refusal = allowed.length === 0 ? this.#refusalOf(addresses[0]) : null;
    if (refusal !== null) return this.#fail(refusal);
    this.#context.log?.(`connects to ${allowed.map(({ address }) => address).join(" ")} port ${this.#peer.port}`);
    this.#times.connectStart = this.#context.clock.now();
    this.#limit(
      this.#context.limits.connect,
      "connection-timeout",
      "The server did not answer the attempt to connect.",
    );
    const more = late?.then((others) => this.#allowed(others)) ?? null;
    const done = (result: Socket | Error): void =>
      result instanceof Error ? this.#fail(errorTypeOf(result)) : this.#connected(result);
    this.#race = new AddressRace(allowed, this.#peer.port, done, more);
    this.#race.start();
  }

  #allowed(addresses: readonly Address[]): readonly Address[] {
    return addresses.filter((address) => this.#refusalOf(address) === null);
  }

  #refusalOf(one: Address | undefined): Failure | null {
    if (this.#proxy !== null || one === undefined) return null;
    return routeRefusal(this.#plan.route, this.#plan.refusalOf, one.address);
  }

  #connected(socket: Socket): void {
    this.#sockets.push(socket);
    this.#context.log?.(`TCP connected to ${socket.remoteAddress}`);
    const at = this.#context.clock.now();
    if (isOurs(socket, this.#context.ownPorts())) {
      socket.destroy();
      this.#times.connectEnd = at;
      return this.#fail({
        errorType: "loop-refused",
        detail: "The server is Weir itself: the request would go in circles.",
      });
    }
    const { proxy, origin } = this.#plan.route;
    this.#context.dialled.add(socket, proxy === null ? [origin.host] : [origin.host, proxy.origin.host]);
    if (this.#proxy !== null) return this.#throughProxy(socket, this.#proxy);
    this.#reached(socket, at);
  }

  #throughProxy(socket: Socket, proxy: UpstreamProxy): void {
    const { fetches, at, origin } = this.#plan.route;
    this.#context.log?.("asks the upstream proxy");
    this.#limit(this.#context.limits.handshake, "upstream-proxy-failed", "The upstream proxy took too long.");
    const reachedProxy = (toProxy: Socket): void => {
      if (fetches) return this.#reached(toProxy, this.#context.clock.now());
      openTunnel(toProxy, at ?? origin, proxy, (failure) => {
        if (failure !== null) return this.#fail(failure);
        this.#reached(toProxy, this.#context.clock.now());
      });
    };
    if (proxy.origin.scheme === "http") return reachedProxy(socket);
    const plain = {
      origin: proxy.origin,
      key: `proxy ${proxy.origin.text}`,
      unverified: false,
      identity: null,
      authority: null,
      protocols: HTTP1,
    };
    this.#secure(socket, plain, ({ socket: secured }) => reachedProxy(secured));
  }

  /** Called as soon as bytes on `socket` reach the server, or reach an upstream proxy that fetches the response. */
  #reached(socket: Socket, at: Instant): void {
    this.#proxy = null;
    if (!this.#plan.secure) {
      this.#times.connectEnd = at;
      return this.#succeed(socket, null, false);
    }
    this.#times.secureConnectionStart = at;
    this.#context.log?.("TLS handshake begins");
    this.#limit(this.#context.limits.handshake, "tls-timeout", "The server did not finish the TLS handshake.");
    const { route, protocols } = this.#plan;
    this.#secure(socket, { ...route, protocols }, (handshake) => {
      this.#times.connectEnd = this.#context.clock.now();
      this.#succeed(handshake.socket, handshake.facts(), handshake.unverifiedAllowed());
    });
  }

  #secure(socket: Socket, target: TlsTarget, done: (handshake: Handshake) => void): void {
    const handshake = this.#context.tls.connect(socket, target);
    const { socket: secured } = handshake;
    this.#sockets.push(secured);
    const failed = (error: Error): void => this.#fail(errorTypeOf(error));
    secured.once("error", failed);
    socket.once("error", failed);
    secured.once("secureConnect", () => {
      secured.off("error", failed);
      done(handshake);
    });
  }

  #limit(after: number, errorType: ErrorType, detail: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.#fail({ errorType, detail: `${detail} (no answer for ${after} ms)` });
    }, after);
  }

  #succeed(socket: Socket, tls: TlsFacts | null, unverifiedAllowed: boolean): void {
    if (this.#over) return;
    this.#context.log?.(tls === null ? "connected" : `connected: ${tls.version}, ALPN ${tls.alpn ?? "none"}`);
    this.#end();
    this.#done({ kind: "connected", socket, times: this.#times, tls, unverifiedAllowed });
  }

  #fail(failure: Failure): void {
    if (this.#over) return;
    this.#context.log?.(`failed: ${failure.errorType}`);
    this.cancel();
    const isOfProxy = this.#proxy !== null && !OURS.has(failure.errorType);
    this.#done({ kind: "failed", failure: isOfProxy ? proxyFailure(failure) : failure, times: this.#times });
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#deadline);
    // Errors of sockets that are no longer used do not matter, but without a listener they would end the process.
    for (const socket of this.#sockets) socket.on("error", () => {});
  }
}

/** Failures that do not come from the upstream proxy, or already name it. */
const OURS: ReadonlySet<ErrorType> = new Set([
  "upstream-proxy-failed",
  "loop-refused",
  "target-refused",
  "tls-client-certificate",
]);

/**
 * docs/security.md S11: whether `socket` reached a port of ours. Compares addresses, because any host name may resolve
 * to this computer.
 */
function isOurs(socket: Socket, ownPorts: readonly number[]): boolean {
  const { remoteAddress, remotePort, localAddress } = socket;
  if (remotePort === undefined || !ownPorts.includes(remotePort)) return false;
  return remoteAddress === localAddress || isLoopback(plainAddress(remoteAddress));
}

interface DialledSocket {
  readonly socket: Socket;
  /** The names by which the connection's first bytes may ask for a server. */
  readonly hosts: readonly string[];
}

/**
 * The open connections to servers, by this computer's end of each. A redirect that catches Weir's own connections leads
 * them back to a transparent port, where they arrive from this very end.
 */
export class DialledSockets {
  readonly #open = new Map<string, DialledSocket>();

  /** Adds a connected socket until it closes. */
  add(socket: Socket, hosts: readonly string[]): void {
    const end = endOf(socket.localAddress, socket.localPort);
    if (socket.destroyed || end === null) return;
    this.#open.set(end, { socket, hosts });
    socket.once("close", () => {
      if (this.#open.get(end)?.socket === socket) this.#open.delete(end);
    });
  }

  /**
   * Breaks off our own connection if `arrived` is its other end; returns whether it is. Addresses alone do not tell:
   * two connections to different servers may begin at the same local port.
   */
  breakLoop(arrived: Socket, host: string): boolean {
    const end = endOf(arrived.remoteAddress, arrived.remotePort);
    const dialled = end === null ? undefined : this.#open.get(end);
    if (dialled === undefined || !dialled.hosts.includes(host)) return false;
    dialled.socket.destroy(Object.assign(new Error("the connection came back to Weir"), { code: LED_BACK }));
    return true;
  }
}

function endOf(address: string | undefined, port: number | undefined): string | null {
  return address === undefined || port === undefined ? null : `${plainAddress(address)} ${port}`;
}
