import type { CaptureSink } from "../../../../../src/engine/capture/event.ts";
import type { Tag } from "../../../../../src/engine/model/exchange.ts";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import type { Bytes, ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import type { RequestHead } from "../http1/message.ts";
import { shownHead } from "../http2/message-text.ts";
import { authorityOf, type Origin, originOf } from "../origin.ts";
import type { Client, ClientExchange } from "../relay/client-exchange.ts";
import { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import type { ExperimentHolds } from "../relay/experiment-holds.ts";
import { errorResponse, headOf } from "../relay/generated-response.ts";
import { LocalExchange } from "../relay/local-exchange.ts";
import { Relay } from "../relay/relay.ts";
import { plainAddress } from "../sockets/address.ts";
import type { ConnectionLog, LogEvent } from "../sockets/connection-log.ts";
import { clientHandshakeOf } from "./client-lines.ts";
import type { ClientNetwork } from "./client-network.ts";
import { ConnectExchange } from "./connect-exchange.ts";
import { type Destination, destinationOf, followsHost, type Ingress, namedBy, PROXY, wantedBy } from "./destination.ts";
import { directRefusal, reverseRefusal } from "./direct-requests.ts";
import { isLocalProbe, isProbe, localResponse } from "./local-responses.ts";
import { RELOAD } from "./phone-page.ts";
import { REFUSED_HEAD, REFUSED_TARGET } from "./refusals.ts";
import type { ReceivedHead } from "./tunnel-context.ts";

export function startExchange(
  received: ReceivedHead,
  ingress: Ingress,
  client: Client,
  network: ClientNetwork,
): ClientExchange {
  const { head } = received;
  if (ingress.kind === "reverse") {
    const refusal = reverseRefusal(head, client.peer.socket.localAddress);
    if (refusal !== null)
      return startRefused(received, `A request to a reverse port was refused. ${refusal}`, client, network);
  }
  const destination = destinationOf(head, ingress);
  switch (destination.kind) {
    case "connect":
      return new ConnectExchange(received, destination.authority, client, network);
    case "refused": {
      const { origin, target } = wantedBy(head.target, directOrigin(ingress, head, client), ingress);
      const { bodyCap } = network.settings();
      const emitter = emitterFor(received, origin, target, ["malformed"], client, network, bodyCap);
      const failure = {
        errorType: "request-malformed",
        detail: `The request cannot be forwarded: ${destination.reason}.`,
      } as const;
      return new LocalExchange(head, failure, client, emitter, network.clock);
    }
    case "direct": {
      const refusal = directRefusal(head, client.peer.socket.localAddress);
      if (refusal !== null)
        return startRefused(received, `A request to Weir itself was refused. ${refusal}`, client, network);
      return startAnswered(received, destination, directOrigin(ingress, head, client), client, network);
    }
    case "forward":
      // Inside a tunnel, the tunnel's host has decided.
      if (ingress.kind !== "origin" || followsHost(ingress))
        network.lines.named(client.peer.socket, [destination.origin.host]);
      return startAnswered(received, destination, destination.origin, client, network);
  }
}

/** Responds without a row of its own: `Refusals` counts the request, because any web page can send it. */
function startRefused(
  received: ReceivedHead,
  reason: string,
  client: Client,
  network: ClientNetwork,
  response = errorResponse(403, reason),
): ClientExchange {
  const { head, at } = received;
  const { origin, target } = wantedBy(head.target, directOrigin(PROXY, head, client), PROXY);
  const started = (options: Pick<ClientNetwork, "sink" | "log">) => {
    const [shown, text] = [target.slice(0, REFUSED_TARGET), head.text.slice(0, REFUSED_HEAD)];
    return emitterFor(received, origin, shown, ["refused"], client, options, NO_BODIES, text);
  };
  network.refusals.add({ reason, status: response.status }, at, () => {
    const row = started({ ...network, log: null });
    row.responseStarted(at, response.status, headOf(response, false));
    return row;
  });
  const emitter = started({ ...network, sink: NOWHERE });
  return new LocalExchange(head, response, client, emitter, network.clock);
}

/** The cap of bodies that are counted but not captured: any web page can send them, and they would evict others. */
const NO_BODIES: Bytes = 0;

const NOWHERE: CaptureSink = Object.freeze({ wanted: () => false, nextId: () => 0 as ExchangeId, emit: () => {} });

function startAnswered(
  received: ReceivedHead,
  destination: Extract<Destination, { kind: "forward" | "direct" }>,
  origin: Origin,
  client: Client,
  network: ClientNetwork,
): ClientExchange {
  const { head } = received;
  const response = localResponse(destination, head, network, client.peer.socket);
  if (destination.kind === "direct" && response !== null && response.status >= 400)
    return startRefused(received, "A request to Weir itself asked for no page of Weir.", client, network, response);
  const tags = tagsOf(destination, origin, head, client, network);
  // What Weir answers, resent requests and upgrades are in no unit of an experiment.
  const experiment = response === null && head.upgrade === null && client.resent === null ? network.experiment : null;
  const text = textFor(destination, head);
  const isReload = destination.kind === "direct" && destination.target === RELOAD;
  const seen = isReload ? { ...network, sink: NOWHERE } : network;
  const bodyCap = destination.kind === "direct" ? NO_BODIES : network.settings().bodyCap;
  const emitter = emitterFor(received, origin, destination.target, tags, client, seen, bodyCap, text, experiment);
  client.resent?.(emitter.id);
  if (response !== null) return new LocalExchange(head, response, client, emitter, network.clock);
  if (destination.kind === "direct") throw new Error("a direct request always has an answer of our own");
  const relay = new Relay(head, destination, client, emitter, network);
  relay.start();
  return relay;
}

/**
 * The head that the row shows. On a reverse port, Host is replaced by the origin's, so that a request copied from the
 * row works.
 */
function textFor(
  destination: Extract<Destination, { kind: "forward" | "direct" }>,
  { text, notable }: RequestHead,
): string {
  if (destination.kind === "direct" || destination.relocation === null) return text;
  const line = notable.find(({ name }) => name === "host");
  if (line === undefined) return text;
  const end = line.at + line.raw.length;
  return `${text.slice(0, line.at)}${line.raw.slice(0, "host:".length)} ${destination.host}${text.slice(end)}`;
}

function tagsOf(
  destination: Extract<Destination, { kind: "forward" | "direct" }>,
  origin: Origin,
  head: RequestHead,
  client: Client,
  network: ClientNetwork,
): readonly Tag[] {
  const { settings, ownPorts } = network;
  const { target } = destination;
  const tags: Tag[] = [];
  if (isProbe(origin.host, target, settings().probeHost) || isLocalProbe(origin, target, ownPorts()))
    tags.push("probe");
  if (client.resent !== null) tags.push("resent");
  if (destination.kind === "forward" && destination.inClear) tags.push("https-in-clear");
  if (head.upgrade === "websocket") tags.push("websocket");
  // WebSockets do not get this tag: clients open them over HTTP/1.1 in any case.
  else if (clientHandshakeOf(client.peer.socket)?.isHttp2Refused) tags.push("http2-offered");
  return tags.length === 0 ? NO_TAGS : tags;
}

const NO_TAGS: readonly Tag[] = Object.freeze([]);

function emitterFor(
  { head, at, headReceived }: ReceivedHead,
  origin: Origin,
  target: string,
  tags: readonly Tag[],
  client: Client,
  { sink, log }: Pick<ClientNetwork, "sink" | "log">,
  bodyCap: Bytes,
  text = head.text,
  experiment: ExperimentHolds | null = null,
): ExchangeEmitter {
  return new ExchangeEmitter(sink, origin.host, bodyCap, {
    at,
    headReceived,
    method: head.method,
    origin: origin.text,
    target,
    head: client.stream === null ? text : shownHead(text),
    clientAddress: client.peer.address,
    protocol: client.stream === null ? `http/${head.version}` : "h2",
    clientConnection: client.peer.connectionNumber(),
    clientStream: client.stream,
    handshake: clientHandshakeOf(client.peer.socket),
    tags,
    experiment,
    log: log === null ? null : logOf(client, log),
    slowed: client.slowed === null ? null : client,
  });
}

function logOf({ peer, stream }: Client, log: ConnectionLog): LogEvent {
  const { socket } = peer;
  return stream === null ? log.clientEvents(socket) : (event) => log.client(socket, event, stream);
}

/**
 * The origin of a request whose target has none: in a tunnel as `namedBy` decides, elsewhere as Host says. Without
 * Host, the address at which the request arrived.
 */
function directOrigin(ingress: Ingress, head: RequestHead | null, client: Client): Origin {
  if (ingress.kind === "origin") return namedBy(ingress, head?.host ?? null).origin;
  const { localAddress, localPort } = client.peer.socket;
  const named = authorityOf(head?.host ?? hostPort(plainAddress(localAddress), localPort ?? 0));
  return originOf("http", named ?? { host: "unknown", port: null });
}

/** The most bytes of malformed input that a row shows. */
const SHOWN = 4_096;

/** Records a row for bytes that could not be parsed as a request. */
export function recordMalformed(
  malformed: { readonly seen: Buffer | null; readonly at: Instant; readonly status: number; readonly reason: string },
  ingress: Ingress,
  client: Client,
  { sink, clock, log, refusals }: Pick<ClientNetwork, "sink" | "clock" | "log" | "refusals">,
): void {
  const { seen, at, status, reason } = malformed;
  // Whoever is in a tunnel could send other requests as well, but any web page can open TLS to our ports.
  const isPooled = ingress.kind !== "origin" && !refusals.mayShow(at);
  const head = seen?.subarray(0, SHOWN).toString("latin1") ?? "";
  const [, method = "?", requestTarget = "/"] = /^([\w-]{1,20}) ([!-~\x80-\xff]{1,200})/.exec(head) ?? [];
  const { origin, target } = wantedBy(requestTarget, directOrigin(ingress, null, client), ingress);
  const isTls = ingress.kind === "origin" && ingress.origin.scheme === "https";
  const isForeign = isTls && !/^[^\n]*HTTP\//i.test(head);
  const begin = (tags: readonly Tag[], text: string) =>
    new ExchangeEmitter(sink, origin.host, 0, {
      at,
      method,
      origin: origin.text,
      target,
      head: text,
      clientAddress: client.peer.address,
      protocol: client.stream === null ? "http/1.1" : "h2",
      clientConnection: client.peer.connectionNumber(),
      clientStream: client.stream,
      handshake: clientHandshakeOf(client.peer.socket),
      tags,
      log: log === null ? null : logOf(client, log),
    });
  if (isPooled)
    return refusals.add({ reason: "Many requests could not be read.", status }, at, () =>
      begin(["malformed", "refused"], head.slice(0, REFUSED_HEAD)),
    );
  const emitter = begin(isForeign ? ["malformed", "not-http"] : ["malformed"], head);
  const detail = `The request could not be read: ${reason}.`;
  emitter.ended(clock.now(), { kind: "failed", errorType: "request-malformed", detail, status });
}
