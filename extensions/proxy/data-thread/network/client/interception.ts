import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Milliseconds } from "../../../../../src/engine/model/units.ts";
import { offersHttp2 } from "../http2/offer.ts";
import type { Origin } from "../origin.ts";
import { codeIn } from "../sockets/connection-log.ts";
import { clientTlsFailureOf } from "../sockets/error-type.ts";
import { joinSlowed, slowedBelow } from "../sockets/slowed-socket.ts";
import { clientHandshakeEnded } from "./client-lines.ts";
import type { ClientNetwork, ServeOptions } from "./client-network.ts";
import type { InnerRoute } from "./destination.ts";
import { isOwnName } from "./local-responses.ts";
import type { ClientHostPair } from "./silent-closes.ts";
import { type TunnelContext, tunnelEmitter } from "./tunnel-context.ts";

/** An unused connection that is open for longer than this after its ClientHello counts as opened in reserve. */
const RIGHT_AFTER: Milliseconds = 2_000;

/**
 * Responds to the client's TLS handshake as the route's origin, and serves the requests inside. The client's first
 * bytes must be back in the socket (`unshift`). `onNoProtocol` takes over if ALPN (RFC 7301) selects no protocol,
 * because the client may then speak something other than HTTP.
 */
export function intercept(
  context: TunnelContext,
  route: InnerRoute,
  network: ClientNetwork,
  onNoProtocol: (secured: TLSSocket, options: ServeOptions) => void,
): void {
  const { origin } = route;
  const { leaves, settings } = network;
  const http2 = offersHttp2(settings(), origin.host);
  if (!isOwnName(origin.host)) network.upstream.prepare(origin);
  const early = takenBack(context.socket);
  let isHttp2Refused = false;
  const secured: TLSSocket = new TLSSocket(context.socket, {
    isServer: true,
    // Used if the client sends no server name, as for an IP address. The client then verifies the tunnel's host.
    secureContext: leaves.contextFor(origin.host),
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    ALPNCallback: ({ protocols }) => {
      const isOffered = protocols.includes("h2");
      isHttp2Refused = isOffered && !http2;
      return isOffered && http2 ? "h2" : protocols.find((protocol) => protocol === "http/1.1");
    },
  });
  joinSlowed(secured, context.socket);
  if (early !== null) process.nextTick(() => context.socket.unshift(early));
  network.log?.join(secured, context.socket);
  network.log?.client(secured, `TLS is answered as ${origin.host}`);
  // Without a tls.Server, nothing else would close a connection whose TLS fails after the handshake.
  secured.on("_tlsError", (error: Error) => {
    network.log?.client(secured, `TLS failed${codeIn(error)}`);
    secured.destroy(error);
  });
  const clientHost = network.silentCloses.pairOf(clientOf(context), origin.host);
  const { socket: transport, connection } = context;
  const options = { unused: unusedBy(context, origin, clientHost, network), clientHost, transport, connection };
  const http1 = network.serve(secured, route, options);
  secured.once("secure", () => {
    clientHandshakeEnded(secured, network.clock.now(), isHttp2Refused);
    network.log?.client(secured, `TLS established: ${secured.getProtocol()}, ALPN ${secured.alpnProtocol || "none"}`);
    if (secured.alpnProtocol === "http/1.1") return;
    http1.handOver();
    if (secured.alpnProtocol !== "h2") return onNoProtocol(secured, options);
    // tls.Server clears this flag at the same point, and Node's HTTP/2 waits for that.
    Object.assign(secured, { secureConnecting: false });
    network.serveHttp2(secured, route, options);
  });
}

/**
 * The first bytes of a slowed socket, which has no handle. Node reads what such a socket holds twice, so they may come
 * back only after it has looked, in the next tick (`initRead` of Node's TLS).
 */
function takenBack(socket: Socket): Buffer | null {
  return slowedBelow(socket) === socket ? socket.read() : null;
}

/** Returns a function that records a connection on which the client sent nothing inside TLS. */
function unusedBy(
  context: TunnelContext,
  origin: Origin,
  clientHost: ClientHostPair,
  network: ClientNetwork,
): (error: Error | null) => void {
  const { clock, settings, onSilentClose } = network;
  const startedAt = clock.now();
  // The returned function uses only these fields, so that it does not keep the socket in memory.
  const { request, address, connection } = context;
  return (error) => {
    const at = clock.now();
    const failure = clientTlsFailureOf(error);
    const emitter = () => tunnelEmitter({ request, address, connection }, origin, network);
    if (failure !== null) return emitter().ended(at, { kind: "failed", ...failure, status: null });
    if (at - startedAt > RIGHT_AFTER || network.silentCloses.isKnown(clientHost, at)) return;
    if (isOwnName(origin.host) || origin.host === settings().probeHost)
      onSilentClose?.({ at, authority: hostPort(origin.host, origin.port) });
    network.silentCloses.closed(clientHost, at, () => {
      const row = emitter();
      row.tag("no-request");
      row.ended(at, { kind: "responded", status: 200 });
    });
  };
}

/** Identifies a client by its address and the User-Agent of its CONNECT. */
function clientOf({ request, address }: TunnelContext): string {
  return `${address} ${request.userAgent}`;
}
