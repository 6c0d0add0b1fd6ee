import type { Instant, Milliseconds } from "../../../../../src/engine/model/units.ts";
import { GrowingBuffer } from "../http1/growing-buffer.ts";
import { offersHttp2 } from "../http2/offer.ts";
import { matchesHost } from "../origin.ts";
import type { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import { type Closable, listenTo } from "../sockets/closable.ts";
import type { LogEvent } from "../sockets/connection-log.ts";
import { ClosingSocket } from "../sockets/disconnect-policy.ts";
import { CLIENT_GONE, type Failure, STOPPED } from "../sockets/error-type.ts";
import { READ_TURN } from "../sockets/read-turn.ts";
import { slowedBelow } from "../sockets/slowed-socket.ts";
import { ClientHelloReader, speaksNoHttp } from "../tls/client-hello.ts";
import { isForeign, ProtocolSniffer, sniffProtocol } from "../tls/sniffed-protocol.ts";
import type { Dialled, DialResult } from "../upstream/dial.ts";
import type { RefusalOf } from "../upstream/route.ts";
import type { ClientNetwork, ServeOptions } from "./client-network.ts";
import { type InnerRoute, innerRoute, namedBy, reachOf } from "./destination.ts";
import type { Piece } from "./input-queue.ts";
import { intercept } from "./interception.ts";
import { isOwnName } from "./local-responses.ts";
import { passThrough } from "./pass-through.ts";
import { type TunnelContext, tunnelEmitter } from "./tunnel-context.ts";

/**
 * After a failed dial inside our TLS, Weir waits this long for bytes from the client before it reports the failure.
 * With `limits.silence` included, a refused connection is reported within 2 s.
 */
const PATIENCE: Milliseconds = 1_500;

/** Intercepted TLS whose ALPN selected no protocol. An inner tunnel carries the bytes inside. */
interface Inner {
  readonly route: InnerRoute;
  readonly options: ServeOptions;
}

/**
 * Decides what a tunnel's bytes become, once their protocol is known: intercepted TLS, requests, or a tunnel that passes
 * through. If the ALPN of intercepted TLS selects no protocol, an inner decision follows for the bytes inside.
 *
 *   passed through ───────────────────────────▶ dial ─▶ open ─▶ splice
 *   our own port? ─▶ dial ─▶ refusal, or ─▶ open …
 *   open ─▶ first bytes ─▶ TLS: intercept │ HTTP: requests │ other: dial ─▶ splice
 *      │      (TLS for a host that is passed through, or for another protocol: other)
 *      └▶ silence ─▶ dial ─▶ the server speaks first: splice
 */
export class TunnelDecision implements Closable {
  readonly #context: TunnelContext;
  readonly #network: ClientNetwork;
  /** The intercepted TLS that contains this tunnel; `null` in an outer tunnel. */
  readonly #inner: Inner | null;
  #route: InnerRoute;
  readonly #received: GrowingBuffer;
  readonly #sniffer = new ProtocolSniffer();
  readonly #hello = new ClientHelloReader();
  /** When the first byte of `#received` arrived. */
  #receivedAt: Instant;
  readonly #since: Instant;
  #removeListeners = (): void => {};
  /** Whether the client got the reply that the tunnel is open. */
  #isOpen: boolean;
  #isPassed = false;
  /** Whether TLS carries a protocol other than HTTP. */
  #isForeign = false;
  #error: Error | null = null;
  #isDetached = false;
  readonly #log: LogEvent | null;
  /** The connection to the server that was dialled because the client was silent. */
  #server: Dialled | null = null;
  #cancelDial: (() => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: TunnelContext, early: Piece, network: ClientNetwork, inner: Inner | null = null) {
    this.#context = context;
    this.#network = network;
    this.#received = new GrowingBuffer(early.bytes);
    this.#inner = inner;
    this.#isOpen = inner !== null;
    this.#route = inner?.route ?? innerRoute("https", context.authority, null, context.arrival);
    this.#since = network.clock.now();
    this.#receivedAt = early.at;
    this.#log = network.log?.clientEvents(context.socket) ?? null;
  }

  start(): void {
    const { settings, ownPorts } = this.#network;
    const context = this.#context;
    this.#network.openConnections.add(this);
    if (this.#inner === null) this.#network.lines.named(context.socket, [context.authority.host]);
    const [data, end, error, close] = [this.#onData, this.#onEnd, this.#onError, this.#onClose];
    this.#removeListeners = listenTo(context.socket, { data, end, error, close });
    if (this.#inner !== null) {
      if (!isOwnName(this.#route.origin.host)) this.#wait();
    } else if (matchesHost(settings().passThrough, context.authority.host)) {
      this.#isPassed = true;
      this.#dial((result) => this.#dialled(result));
    } else if (ownPorts().includes(context.authority.port)) {
      this.#dial((result) => this.#onOwnPortDialled(result));
    } else this.#establish();
  }

  /** Closes an inner tunnel whose client sends nothing (docs/security.md L5). */
  expire(now: Instant): void {
    const isSilent = this.#inner !== null && !this.#isPassed && this.#received.length === 0;
    if (isSilent && now - this.#since > this.#network.limits.head) this.#close(null);
  }

  drain(): void {
    if (!this.#isPassed) this.#close(null);
  }

  stop(): void {
    this.#close(STOPPED);
  }

  #establish(): void {
    this.#isOpen = true;
    this.#log?.("tunnel is open, waits for the client's first bytes");
    this.#context.socket.write(this.#context.request.established.bytes);
    this.#context.socket.resume();
    if (this.#context.socket.readableEnded) this.#onEnd();
    else if (this.#received.length > 0) this.#decide();
    else if (!isOwnName(this.#route.origin.host)) this.#wait();
    // Weir's own names have no server that could send first. A silent client is disconnected (docs/security.md L5).
    else this.#timer = setTimeout(() => this.#close(null), this.#network.limits.head);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onSilence(), this.#network.limits.silence);
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#received.length === 0) this.#receivedAt = slowedBelow(this.#context.socket)?.arrivedAt ?? this.#now();
    this.#received.add(bytes);
    // Bytes that arrive before the tunnel is open are held.
    if (this.#isOpen) this.#decide();
    else this.#context.socket.pause();
  };

  #decide(): void {
    if (this.#isPassed) return;
    // Text goes to the request parser even if it is no request, because the parser's error names the fault.
    if (this.#inner !== null) return isForeign(this.#received.bytes) ? this.#pass() : this.#serve();
    const protocol = this.#sniffer.sniff(this.#received.bytes);
    if (protocol !== "unsure") this.#log?.(`tunnel carries: ${protocol}`);
    switch (protocol) {
      case "unsure":
        return this.#wait();
      case "tls":
        return this.#onClientHello();
      case "http":
        return this.#serve();
      case "http2":
        return this.#serveHttp2();
      case "other":
        this.#pass();
    }
  }

  /** Decides whether to intercept, by the server name and the protocols in the ClientHello. */
  #onClientHello(): void {
    const hello = this.#hello.read(this.#received.bytes);
    clearTimeout(this.#timer);
    if (hello === "incomplete") {
      this.#timer = setTimeout(() => this.#close(null), this.#network.limits.head);
      return;
    }
    this.#route = innerRoute("https", this.#context.authority, hello?.serverName ?? null, this.#context.arrival);
    this.#network.lines.named(this.#context.socket, [this.#context.authority.host, this.#route.origin.host]);
    this.#log?.(`ClientHello for ${this.#route.origin.host}, ALPN ${hello?.protocols.join(" ") || "none"}`);
    this.#isForeign = hello !== null && speaksNoHttp(hello);
    const { passThrough } = this.#network.settings();
    if (this.#isForeign || matchesHost(passThrough, this.#route.origin.host)) return this.#pass();
    // Back in the socket, the bytes come before the client's end, which may arrive while the handshake waits.
    this.#unshift();
    if (!READ_TURN.isUsedUp) return this.#intercept();
    READ_TURN.later(() => {
      if (!this.#isDetached) this.#intercept();
    });
  }

  /** Begins the TLS handshake, some 1 ms of work. */
  #intercept(): void {
    this.#readHere();
    intercept(this.#context, this.#route, this.#network, (socket, options) => {
      const nothing = { bytes: NOTHING, at: this.#now() };
      new TunnelDecision({ ...this.#context, socket }, nothing, this.#network, { route: this.#route, options }).start();
    });
  }

  #serve(): void {
    this.#readHere();
    const { socket, authority, arrival, connection } = this.#context;
    const route = this.#inner?.route ?? innerRoute("http", authority, null, arrival);
    const early = { bytes: this.#received.bytes, at: this.#receivedAt };
    this.#network.serve(socket, route, { ...this.#inner?.options, connection, early });
  }

  #serveHttp2(): void {
    const { socket, authority, arrival, connection } = this.#context;
    if (!offersHttp2(this.#network.settings(), authority.host)) return this.#pass();
    this.#readHere();
    this.#unshift();
    this.#network.serveHttp2(socket, innerRoute("http", authority, null, arrival), { connection });
  }

  #unshift(): void {
    this.#context.socket.pause();
    this.#context.socket.unshift(this.#received.bytes);
  }

  /**
   * Detaches the tunnel, because Weir reads the client's bytes itself. Cancels a dial, and closes the connection to a
   * server that was dialled because the client was silent.
   */
  #readHere(): void {
    this.#detach();
    this.#cancelDial?.();
    this.#server?.socket.off("readable", this.#onServerBytes).off("close", this.#onServerClose).destroy();
  }

  /**
   * docs/specification.md, Silent tunnels: dials the server, because in some protocols the server sends first. If the
   * client has sent bytes of an unknown protocol, passes the tunnel through.
   */
  #onSilence(): void {
    if (this.#received.length > 0) return this.#pass();
    this.#log?.("the client is silent: the server is dialled in case it sends first");
    // If this process was stalled, bytes of the client may already be waiting to be read.
    setImmediate(() => {
      if (this.#isDetached || this.#received.length > 0) return;
      this.#dial((result) => {
        if (this.#isPassed || (result.kind === "failed" && this.#inner === null)) return this.#dialled(result);
        if (result.kind === "failed") {
          this.#timer = setTimeout(() => this.#dialled(result), PATIENCE);
          return;
        }
        this.#server = result;
        result.socket.once("readable", this.#onServerBytes);
        result.socket.once("close", this.#onServerClose);
      });
    });
  }

  /**
   * Called when the server has sent bytes or has half-closed. Passes the tunnel through. An inner tunnel instead closes
   * the connection to a server that half-closed without sending a byte.
   */
  readonly #onServerBytes = (): void => {
    if (this.#inner === null || (this.#server?.socket.readableLength ?? 0) > 0) return this.#pass();
    this.#server?.socket.destroy();
  };

  /**
   * Called when the connection to the server closes. A tunnel inside another one waits for the client's request, since
   * an HTTP server may have closed only because it received no request. Any other tunnel is passed through.
   */
  readonly #onServerClose = (): void => {
    if (this.#inner === null) return this.#pass();
    this.#server = null;
  };

  readonly #pass = (): void => {
    if (this.#isPassed) return;
    this.#isPassed = true;
    this.#isForeign ||= this.#inner !== null;
    this.#log?.("tunnel is passed through");
    this.#context.socket.pause();
    clearTimeout(this.#timer);
    if (this.#server !== null) this.#dialled({ kind: "connected", ...this.#server });
    else if (this.#cancelDial === null) this.#dial((result) => this.#dialled(result));
  };

  #dial(done: (result: DialResult) => void): void {
    const { address, arrival } = this.#context;
    const reach = reachOf(arrival, address);
    const refusalOf: RefusalOf = (target, isGiven) => this.#network.refusalOf(target, reach, isGiven);
    const { origin, at } = namedBy(this.#route, null);
    const isSecure = this.#inner !== null;
    this.#cancelDial = this.#network.upstream.connectRaw(origin, at, isSecure, refusalOf, (result) => {
      this.#cancelDial = null;
      done(result);
    });
  }

  /** Refuses the tunnel if the dial reached a port of ours, else opens it (docs/security.md S11). */
  #onOwnPortDialled(result: DialResult): void {
    if (result.kind === "connected") result.socket.destroy();
    else if (result.failure.errorType === "loop-refused") return this.#dialled(result);
    this.#establish();
  }

  #dialled(result: DialResult): void {
    this.#detach();
    const { socket, request } = this.#context;
    const client = { socket, request, isOpen: this.#isOpen, early: this.#received.bytes };
    passThrough(result, client, this.#emitter(), this.#network);
  }

  #emitter(): ExchangeEmitter {
    const emitter = tunnelEmitter(this.#context, this.#route.origin, this.#network);
    if (this.#isForeign) emitter.tag("not-http");
    return emitter;
  }

  readonly #onError = (error: Error): void => {
    this.#error ??= error;
    this.#close(CLIENT_GONE);
  };

  readonly #onClose = (): void => this.#close(CLIENT_GONE);

  /**
   * Called when the client half-closes. The client may still be reading, so its bytes and its end are forwarded. A
   * connection without any bytes was opened in reserve, and is closed.
   */
  readonly #onEnd = (): void => {
    if (this.#isPassed || !this.#isOpen) return;
    if (this.#received.length === 0) this.#close(CLIENT_GONE);
    else if (sniffProtocol(this.#received.bytes) === "http") this.#decide();
    else this.#pass();
  };

  #close(failure: Failure | null): void {
    this.#log?.(`tunnel closes: ${failure?.errorType ?? "no longer needed"}`);
    this.#detach();
    this.#cancelDial?.();
    this.#server?.socket.destroy();
    const closing = new ClosingSocket(this.#context.socket, this.#network);
    if (failure === STOPPED) closing.stop();
    else closing.drain();
    if (failure === CLIENT_GONE && !this.#isPassed) this.#inner?.options.unused?.(this.#error);
    if (this.#isPassed && failure !== null)
      this.#emitter().ended(this.#now(), { kind: "failed", ...failure, status: null });
  }

  #detach(): void {
    this.#isDetached = true;
    clearTimeout(this.#timer);
    this.#network.openConnections.delete(this);
    this.#removeListeners();
  }

  #now(): Instant {
    return this.#network.clock.now();
  }
}

const NOTHING = Buffer.alloc(0);
