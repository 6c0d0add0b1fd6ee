import { isIP, type Socket } from "node:net";
import type { TlsFacts } from "../../../src/engine/capture/event.ts";
import type { ErrorType } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { isLoopback, plainAddress } from "./address.ts";
import { AddressRace } from "./address-race.ts";
import { errorTypeOf, type Failure } from "./error-type.ts";
import type { Address, NetworkLimits, NetworkOptions } from "./network-options.ts";
import { openTunnel, proxyFailure } from "./proxy-connect.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";
import type { Handshake, TlsTarget, UpstreamTls } from "./upstream-tls.ts";
import { type Allows, mayUse, type Way } from "./way.ts";

const HTTP1: readonly string[] = Object.freeze(["http/1.1"]);
const HTTP2_OR_1: readonly string[] = Object.freeze(["h2", "http/1.1"]);

/** The part of an exchange's instants that a new connection has. */
export type DialTimes = Pick<
  Instants,
  "domainLookupStart" | "domainLookupEnd" | "connectStart" | "secureConnectionStart" | "connectEnd"
>;

/** Of what was not dialled for. */
export const NO_DIAL: DialTimes = Object.freeze({
  domainLookupStart: null,
  domainLookupEnd: null,
  connectStart: null,
  secureConnectionStart: null,
  connectEnd: null,
});

export interface DialPlan {
  readonly way: Way;
  /** Speak TLS once the server is reached. */
  readonly secure: boolean;
  /** Offer HTTP/2 in it. */
  readonly http2: boolean;
  /** Addresses for which it says no are not tried. */
  readonly allows: Allows;
}

export type DialResult =
  | {
      readonly kind: "connected";
      readonly socket: Socket;
      readonly times: DialTimes;
      readonly tls: TlsFacts | null;
      /** Whether the certificate could not be verified, and that was allowed. */
      readonly excepted: boolean;
    }
  | { readonly kind: "failed"; readonly failure: Failure; readonly times: DialTimes };

type DialContext = Pick<NetworkOptions, "clock" | "resolver" | "ownPorts"> & {
  readonly limits: NetworkLimits;
  readonly tls: UpstreamTls;
};

/**
 * One attempt to reach a server: look-up, TCP (several addresses, staggered), TLS; where a further proxy is in between,
 * the first two are about the proxy. `done` comes exactly once, never within the constructor, and not at all after `cancel`.
 */
export class Dial {
  readonly #plan: DialPlan;
  readonly #context: DialContext;
  readonly #done: (result: DialResult) => void;
  readonly #times = { ...NO_DIAL };
  #race: AddressRace | null = null;
  /** What is connected already: TCP's socket, and the TLS on it. */
  readonly #sockets: Socket[] = [];
  /** Until the way through it stands, whatever goes wrong is the further proxy's. */
  #proxy: UpstreamProxy | null;
  #deadline: NodeJS.Timeout | undefined;
  #over = false;

  constructor(plan: DialPlan, context: DialContext, done: (result: DialResult) => void) {
    this.#plan = plan;
    this.#context = context;
    this.#done = done;
    this.#proxy = plan.way.proxy;
    const problem = this.#problem();
    const { host } = this.#peer;
    const family = isIP(host);
    if (problem !== null) queueMicrotask(() => this.#fail(problem));
    else if (family !== 0) queueMicrotask(() => this.#connect([{ address: host, family: family === 6 ? 6 : 4 }]));
    else void this.#lookup(host);
  }

  cancel(): void {
    this.#end();
    this.#race?.cancel();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Whom TCP is to reach. */
  get #peer(): { readonly host: string; readonly port: number } {
    const { override, proxy, origin } = this.#plan.way;
    return override ?? proxy?.origin ?? origin;
  }

  /** What is wrong before anything was tried. */
  #problem(): Failure | null {
    const { way, secure, allows } = this.#plan;
    if (secure && way.identity?.kind === "unusable")
      return { errorType: "tls-client-certificate", detail: way.identity.detail };
    // Which address a name leads to, only the further proxy will know.
    const isRefused = way.proxy !== null && !mayUse(way, allows, "");
    return isRefused ? { errorType: "target-refused", detail: REFUSED_TARGET } : null;
  }

  async #lookup(host: string): Promise<void> {
    this.#times.domainLookupStart = this.#context.clock.now();
    this.#limit(this.#context.limits.lookup, "name-not-resolved", "The look-up of the server's name took too long.");
    try {
      const addresses = await this.#context.resolver.lookup(host);
      this.#times.domainLookupEnd = this.#context.clock.now();
      this.#connect(addresses);
    } catch (error) {
      this.#times.domainLookupEnd = this.#context.clock.now();
      if (!(error instanceof Error)) throw error;
      this.#fail(errorTypeOf(error));
    }
  }

  #connect(addresses: readonly Address[]): void {
    if (this.#over) return;
    const { allows } = this.#plan;
    const allowed = addresses.filter(({ address }) => this.#proxy !== null || allows(address));
    if (addresses.length === 0)
      return this.#fail({ errorType: "name-not-resolved", detail: "The server's name has no address." });
    if (allowed.length === 0) return this.#fail({ errorType: "target-refused", detail: REFUSED_TARGET });
    this.#times.connectStart = this.#context.clock.now();
    this.#limit(
      this.#context.limits.connect,
      "connection-timeout",
      "The server did not answer the attempt to connect.",
    );
    this.#race = new AddressRace(allowed, this.#peer.port, (result) => {
      if (result instanceof Error) this.#fail(errorTypeOf(result));
      else this.#won(result);
    });
  }

  #won(socket: Socket): void {
    this.#sockets.push(socket);
    const at = this.#context.clock.now();
    if (isOurs(socket, this.#context.ownPorts())) {
      socket.destroy();
      this.#times.connectEnd = at;
      return this.#fail({
        errorType: "loop-refused",
        detail: "The server is Weir itself: the request would go in circles.",
      });
    }
    if (this.#proxy !== null) return this.#through(socket, this.#proxy);
    this.#reached(socket, at);
  }

  #through(socket: Socket, proxy: UpstreamProxy): void {
    const { fetches, origin } = this.#plan.way;
    this.#limit(this.#context.limits.handshake, "upstream-proxy-failed", "The upstream proxy took too long.");
    const spoken = (toProxy: Socket): void => {
      if (fetches) return this.#reached(toProxy, this.#context.clock.now());
      openTunnel(toProxy, origin, proxy, (failure) => {
        if (failure !== null) return this.#fail(failure);
        this.#reached(toProxy, this.#context.clock.now());
      });
    };
    if (proxy.origin.scheme === "http") return spoken(socket);
    const plain = {
      origin: proxy.origin,
      key: `proxy ${proxy.origin.text}`,
      unverified: false,
      identity: null,
      protocols: HTTP1,
    };
    this.#secure(socket, plain, ({ socket: secured }) => spoken(secured));
  }

  /** Bytes on `socket` now arrive at the server, or at a further proxy that fetches from it. */
  #reached(socket: Socket, at: Instant): void {
    this.#proxy = null;
    if (!this.#plan.secure) {
      this.#times.connectEnd = at;
      return this.#succeed(socket, null, false);
    }
    this.#times.secureConnectionStart = at;
    this.#limit(this.#context.limits.handshake, "tls-timeout", "The server did not finish the TLS handshake.");
    const { way, http2 } = this.#plan;
    this.#secure(socket, { ...way, protocols: http2 ? HTTP2_OR_1 : HTTP1 }, (handshake) => {
      this.#times.connectEnd = this.#context.clock.now();
      this.#succeed(handshake.socket, handshake.facts(), handshake.excepted());
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

  #succeed(socket: Socket, tls: TlsFacts | null, excepted: boolean): void {
    if (this.#over) return;
    this.#end();
    this.#done({ kind: "connected", socket, times: this.#times, tls, excepted });
  }

  #fail(failure: Failure): void {
    if (this.#over) return;
    this.cancel();
    const isProxys = this.#proxy !== null && !OURS.has(failure.errorType);
    this.#done({ kind: "failed", failure: isProxys ? proxyFailure(failure) : failure, times: this.#times });
  }

  #end(): void {
    this.#over = true;
    clearTimeout(this.#deadline);
    // Whatever still goes wrong with a socket that nobody waits for is of no interest, but must not be uncaught.
    for (const socket of this.#sockets) socket.on("error", () => {});
  }
}

/** What we refuse by ourselves, or have already told of the further proxy. */
const OURS: ReadonlySet<ErrorType> = new Set([
  "upstream-proxy-failed",
  "loop-refused",
  "target-refused",
  "tls-client-certificate",
]);

/** security.md, S5: the refusal names the setting. */
const REFUSED_TARGET =
  "Clients from the network may not reach private addresses through Weir. " +
  "To allow it: Settings, Proxy: “Allow private targets from the LAN”.";

/** security.md, S11: seen from the address that really answered, not from the name. */
function isOurs(socket: Socket, ownPorts: readonly number[]): boolean {
  const { remoteAddress, remotePort, localAddress } = socket;
  if (remotePort === undefined || !ownPorts.includes(remotePort)) return false;
  return remoteAddress === localAddress || isLoopback(plainAddress(remoteAddress));
}
