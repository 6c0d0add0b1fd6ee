import { isIP, type Socket } from "node:net";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { GrowingBuffer } from "../http1/growing-buffer.ts";
import { LIMITS, type RequestHead } from "../http1/message.ts";
import { RequestReader } from "../http1/request-reader.ts";
import { authorityOf, originOf } from "../origin.ts";
import { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import { bytesOf, errorResponse, headOf } from "../relay/generated-response.ts";
import { isLocalName, isLoopback, plainAddress, plainHost } from "../sockets/address.ts";
import { type Closable, listenTo } from "../sockets/closable.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { ClosingSocket } from "../sockets/disconnect-policy.ts";
import { ClientHelloReader } from "../tls/client-hello.ts";
import { ProtocolSniffer, type SniffedProtocol } from "../tls/sniffed-protocol.ts";
import type { ClientNetwork } from "./client-network.ts";
import { arrivedAt, nameOf, PROXY, type TransparentRoute, wantedBy } from "./destination.ts";
import { REFUSED_HEAD, REFUSED_TARGET } from "./refusals.ts";
import { httpRefusal, type TunnelRequest } from "./tunnel-context.ts";
import { TunnelDecision } from "./tunnel-decision.ts";

/**
 * Finds out for which server a client's first bytes are: by the server name of TLS (RFC 6066, 3), or by Host (RFC 9110,
 * 7.2). Then a tunnel takes over, as after CONNECT to that name.
 *
 *   first bytes ─▶ ClientHello │ request head ─▶ tunnel        any ─▶ refused, as a row
 */
export class TransparentConnection implements Closable {
  readonly route: TransparentRoute;
  readonly #socket: Socket;
  readonly #network: ClientNetwork;
  readonly #address: string;
  readonly #since: Instant;
  #removeListeners = (): void => {};
  readonly #received = new GrowingBuffer();
  /** When the first byte arrived. */
  #receivedAt: Instant;
  readonly #sniffer = new ProtocolSniffer();
  #protocol: SniffedProtocol = "unsure";
  readonly #hello = new ClientHelloReader();
  readonly #request = new RequestReader(LIMITS);
  /** How many bytes `#request` was given. */
  #given = 0;

  constructor(socket: Socket, route: TransparentRoute, network: ClientNetwork) {
    this.#socket = socket;
    this.route = route;
    this.#network = network;
    this.#address = plainAddress(socket.remoteAddress);
    this.#since = network.clock.now();
    this.#receivedAt = this.#since;
  }

  start(): void {
    this.#network.openConnections.add(this);
    const [data, end, error, close] = [this.#onData, this.#onEnd, this.#onError, this.#onClose];
    this.#removeListeners = listenTo(this.#socket, { data, end, error, close });
  }

  /** Refuses a client whose first bytes take too long, and closes one that sends none (docs/security.md L5). */
  expire(now: Instant): void {
    if (now - this.#since <= this.#network.limits.head) return;
    if (this.#received.length > 0) this.#refuse("late", null);
    else this.#close();
  }

  drain(): void {
    this.#socket.destroySoon();
  }

  stop(): void {
    this.#socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#received.length === 0) this.#receivedAt = this.#network.clock.now();
    this.#received.add(bytes);
    // Once known, the protocol stays: a long head in small pieces would else be looked at with each of them.
    if (this.#protocol === "unsure") this.#protocol = this.#sniffer.sniff(this.#received.bytes);
    switch (this.#protocol) {
      case "unsure":
        return;
      case "tls":
        return this.#onClientHello();
      case "http":
        return this.#onRequest();
      case "http2":
        return this.#refuse("http2", null);
      case "other":
        this.#refuse("other", null);
    }
  };

  #onClientHello(): void {
    const hello = this.#hello.read(this.#received.bytes);
    if (hello === "incomplete") return;
    if (hello === null) return this.#refuse("hello", null);
    if (hello.serverName === null) return this.#refuse("unnamed", null);
    const name = nameOf(hello.serverName);
    if (name === null) return this.#refuse("misnamed", null);
    this.#open(name, null);
  }

  #onRequest(): void {
    this.#request.feed(this.#received.bytes.subarray(this.#given));
    this.#given = this.#received.length;
    const event = this.#request.next();
    if (event === null) return;
    // The reader of requests refuses the same bytes again, with a response and a row.
    if (event.kind !== "head") return this.#passOn();
    const { head } = event;
    if (head.method === "CONNECT") return this.#refuse("proxy", head, authorityOf(head.target)?.host ?? null);
    const host = head.host === null ? null : authorityOf(head.host);
    if (host === null) return this.#refuse("hostless", head);
    this.#open(host.host, head);
  }

  #passOn(): void {
    this.#detach();
    const early = { bytes: this.#received.bytes, at: this.#receivedAt };
    this.#network.serve(this.#socket, PROXY, { early });
  }

  /** `head`: the first request; `null` over TLS. */
  #open(host: string, head: RequestHead | null): void {
    if (this.#network.upstream.dialled.breakLoop(this.#socket, host)) return this.#close();
    const named = plainHost(host);
    const isOwn = isLocalName(named) || (isIP(named) !== 0 && this.#network.isOwnAddress(named));
    if (isOwn) return this.#refuse("own", head, host);
    this.#detach();
    const [socket, { port }] = [this.#socket, this.route];
    this.#network.log?.client(socket, `transparent port, for ${hostPort(host, port)}`);
    const isRemote = !isLoopback(this.#address) && !this.#network.isOwnAddress(this.#address);
    new TunnelDecision(
      {
        request: this.#tunnelRequest(hostPort(host, port), head),
        authority: { host, port },
        socket,
        address: this.#address,
        arrival: { route: this.route, isRemote },
        connection: this.#network.nextClientConnection(socket, isRemote),
      },
      { bytes: this.#received.bytes, at: this.#receivedAt },
      this.#network,
    ).start();
  }

  /** The client asked for no tunnel, so it gets no reply when one is open. */
  #tunnelRequest(named: string, head: RequestHead | null): TunnelRequest {
    const { localPort } = this.#socket;
    return {
      at: this.#receivedAt,
      headReceived: this.#network.clock.now(),
      head: `CONNECT ${named} at the transparent port ${localPort}\r\n\r\n`,
      protocol: head === null ? "tls" : protocolOf(head),
      userAgent: "",
      established: ESTABLISHED,
      refusal: head === null ? () => ({ bytes: TLS_ALERTS.accessDenied, status: null }) : httpRefusal,
    };
  }

  /** Called when the client half-closes. One that sent nothing only tested the port, and gets no row. */
  readonly #onEnd = (): void => {
    if (this.#received.length > 0) this.#refuse("cut", null);
    else this.#close();
  };

  readonly #onError = (error: Error): void => {
    this.#network.log?.client(this.#socket, `failed${codeIn(error)}`);
  };

  readonly #onClose = (): void => this.#detach();

  /**
   * `head`: the request that is refused; `null` if there is none. `name`: the host that it asks for. Any web page can
   * connect to the port (S16).
   */
  #refuse(kind: RefusedArrival, head: RequestHead | null, name: string | null = null): void {
    const { alert, reason: why, status } = TRANSPARENT_REFUSALS[kind];
    const reason = `A connection to a transparent port was refused. ${why}`;
    const response = head === null || status === null ? null : errorResponse(status, reason);
    this.#detach();
    this.#network.log?.client(this.#socket, `closing: ${why}`);
    const reply = response === null ? alert : bytesOf(response);
    if (reply !== null) this.#socket.write(reply);
    const at = this.#receivedAt;
    const begin = () => {
      const row = this.#emitter(head);
      if (response !== null) row.responseStarted(at, response.status, headOf(response, false));
      return row;
    };
    this.#network.refusals.add({ reason, status: response?.status ?? null }, at, begin, name);
    new ClosingSocket(this.#socket, this.#network);
  }

  /** Starts the row of refused connections. Its origin is the address at which the first one arrived, or its Host. */
  #emitter(head: RequestHead | null): ExchangeEmitter {
    const { sink } = this.#network;
    const isTls = this.#protocol === "tls";
    const named = head?.host == null ? null : authorityOf(head.host);
    const scheme = isTls ? "https" : "http";
    const arrived = named === null ? arrivedAt(this.#socket, scheme) : originOf(scheme, named);
    const { origin, target } = wantedBy(head?.target ?? "/", arrived, PROXY);
    const isRemote = !isLoopback(this.#address);
    return new ExchangeEmitter(sink, origin.host, 0, {
      at: this.#receivedAt,
      method: head?.method ?? "?",
      origin: origin.text,
      target: target.slice(0, REFUSED_TARGET),
      head: head?.text.slice(0, REFUSED_HEAD) ?? "",
      clientAddress: this.#address,
      protocol: isTls ? "tls" : protocolOf(head),
      clientConnection: this.#network.nextClientConnection(this.#socket, isRemote),
      tags: ["refused"],
    });
  }

  #close(): void {
    this.#detach();
    new ClosingSocket(this.#socket, this.#network).drain();
  }

  #detach(): void {
    this.#network.openConnections.delete(this);
    this.#removeListeners();
  }
}

/** The protocol that a row shows; HTTP/1.1 without a request. */
function protocolOf(head: RequestHead | null): "http/1.1" | "http/1.0" {
  return head?.version === "1.0" ? "http/1.0" : "http/1.1";
}

const ESTABLISHED = Object.freeze({ bytes: Buffer.alloc(0), head: "Transparent port, no reply\r\n\r\n" });

type RefusedArrival =
  | "unnamed"
  | "misnamed"
  | "hello"
  | "hostless"
  | "own"
  | "proxy"
  | "http2"
  | "other"
  | "late"
  | "cut";

interface TransparentRefusal {
  /** A sentence without text of the client. */
  readonly reason: string;
  /** The TLS alert that a client gets without a request; `null` if its bytes are no TLS. */
  readonly alert: Buffer | null;
  /** The status of the response to a request; `null` if there is none to respond to. */
  readonly status: number | null;
}

/** A fatal alert in a record of TLS 1.2, which clients of every version read (RFC 8446, 5.1 and 6). */
function fatalAlert(description: number): Buffer {
  return Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, description]);
}

/** Alerts of RFC 8446, 6. */
const TLS_ALERTS = Object.freeze({
  accessDenied: fatalAlert(49),
  decodeError: fatalAlert(50),
  missingExtension: fatalAlert(109),
  unrecognizedName: fatalAlert(112),
});

export const TRANSPARENT_REFUSALS: Readonly<Record<RefusedArrival, TransparentRefusal>> = Object.freeze({
  unnamed: {
    reason: "Its TLS names no server (SNI), so Weir cannot know which one the client wants.",
    alert: TLS_ALERTS.missingExtension,
    status: null,
  },
  misnamed: {
    reason: "Its TLS gives an address or an invalid name in place of a server's name (SNI).",
    alert: TLS_ALERTS.unrecognizedName,
    status: null,
  },
  hello: { reason: "Its ClientHello cannot be read.", alert: TLS_ALERTS.decodeError, status: null },
  hostless: {
    reason: "The request has no Host, so Weir cannot know which server the client wants.",
    alert: null,
    status: 400,
  },
  own: {
    reason: "It asks for this computer itself. This port is for clients that want another server.",
    alert: TLS_ALERTS.unrecognizedName,
    status: 508,
  },
  proxy: {
    reason: "The client uses this port as its proxy. The proxy has another port.",
    alert: null,
    status: 400,
  },
  http2: { reason: "HTTP/2 without TLS does not name its server in its first bytes.", alert: null, status: null },
  other: { reason: "Its first bytes are neither TLS nor HTTP.", alert: null, status: null },
  late: { reason: "Its first bytes did not arrive in time.", alert: null, status: null },
  cut: { reason: "It ended within its first bytes.", alert: null, status: null },
});
