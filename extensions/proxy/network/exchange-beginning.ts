import type { Tag } from "../../../src/engine/model/exchange.ts";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { plainAddress } from "./address.ts";
import type { Arrival } from "./arrival.ts";
import type { Client, ClientExchange } from "./client-exchange.ts";
import { ConnectExchange } from "./connect-exchange.ts";
import { type Destination, destinationOf, type Route } from "./destination.ts";
import type { RequestHead } from "./http1/message.ts";
import { shownHead } from "./http2/message-text.ts";
import { offeredHttp2 } from "./http2-offer.ts";
import type { Network } from "./network.ts";
import { authorityOf, type Origin, originOf } from "./origin.ts";
import { isLocalProbe, isProbe, ownAnswer } from "./own-answers.ts";
import { OwnExchange } from "./own-exchange.ts";
import { Recording } from "./recording.ts";
import { Relay } from "./relay.ts";

/** Decides who answers a request, and begins its row. */
export function beginExchange(arrival: Arrival, route: Route, client: Client, network: Network): ClientExchange {
  const { head } = arrival;
  const destination = destinationOf(head, route);
  switch (destination.kind) {
    case "connect":
      return new ConnectExchange(arrival, destination.authority, client, network);
    case "refused": {
      const recording = recordingOf(
        arrival,
        directOrigin(route, head, client),
        head.target,
        ["malformed"],
        client,
        network,
      );
      const failure = {
        errorType: "request-malformed",
        detail: `The request cannot be forwarded: ${destination.reason}.`,
      } as const;
      return new OwnExchange(head, failure, client, recording, network.options.clock);
    }
    case "direct": {
      const origin = directOrigin(route, head, client);
      return answered(arrival, destination, origin, client, network);
    }
    case "forward":
      return answered(arrival, destination, destination.origin, client, network);
  }
}

function answered(
  arrival: Arrival,
  destination: Extract<Destination, { kind: "forward" | "direct" }>,
  origin: Origin,
  client: Client,
  network: Network,
): ClientExchange {
  const { head } = arrival;
  const tags = tagsOf(destination, origin, head, client, network);
  const recording = recordingOf(arrival, origin, destination.target, tags, client, network);
  const answer = ownAnswer(destination, head, network.options);
  if (answer !== null) return new OwnExchange(head, answer, client, recording, network.options.clock);
  if (destination.kind === "direct") throw new Error("a direct request always has an answer of our own");
  return new Relay(head, destination, client, recording, network);
}

function tagsOf(
  destination: Extract<Destination, { kind: "forward" | "direct" }>,
  origin: Origin,
  head: RequestHead,
  client: Client,
  network: Network,
): readonly Tag[] {
  const { settings, ownPorts } = network.options;
  const { target } = destination;
  const tags: Tag[] = [];
  if (isProbe(origin.host, target, settings().probeHost) || isLocalProbe(origin, target, ownPorts()))
    tags.push("probe");
  if (client.resent) tags.push("resent");
  if (destination.kind === "forward" && destination.inClear) tags.push("https-in-clear");
  if (head.upgrade === "websocket") tags.push("websocket");
  // HTTP/2 has no Upgrade: clients open WebSockets over HTTP/1.1 by themselves.
  else if (offeredHttp2(client.socket)) tags.push("http2-offered");
  return tags.length === 0 ? NO_TAGS : tags;
}

const NO_TAGS: readonly Tag[] = Object.freeze([]);

function recordingOf(
  { head, at, headReceived }: Arrival,
  origin: Origin,
  target: string,
  tags: readonly Tag[],
  client: Client,
  { options }: Network,
): Recording {
  return new Recording(options.sink, origin.host, options.settings().bodyCap, {
    at,
    headReceived,
    method: head.method,
    origin: origin.text,
    target,
    head: client.stream === null ? head.text : shownHead(head.text),
    clientAddress: client.address,
    protocol: client.stream === null ? `http/${head.version}` : "h2",
    clientConnection: client.connection,
    clientStream: client.stream,
    tags,
  });
}

/** For a request that names no server: what its Host says, else where it arrived. */
function directOrigin(route: Route, head: RequestHead | null, client: Client): Origin {
  if (route.kind === "origin") return route.origin;
  const { localAddress, localPort } = client.socket;
  const named = authorityOf(head?.host ?? hostPort(plainAddress(localAddress), localPort ?? 0));
  return originOf("http", named ?? { host: "unknown", port: null });
}

/** Our choice: what is shown of bytes that are no request. */
const SHOWN = 4_096;

/** A row for bytes that could not be read as a request. */
export function recordMalformed(
  malformed: { readonly seen: Buffer | null; readonly at: Instant; readonly status: number; readonly reason: string },
  route: Route,
  client: Client,
  { options }: Network,
): void {
  const { seen, at, status, reason } = malformed;
  const head = seen?.subarray(0, SHOWN).toString("latin1") ?? "";
  const [, method = "?", target = "/"] = /^([\w-]{1,20}) ([!-~]{1,200})/.exec(head) ?? [];
  const origin = directOrigin(route, null, client);
  const recording = new Recording(options.sink, origin.host, 0, {
    at,
    headReceived: null,
    method,
    origin: origin.text,
    target,
    head,
    clientAddress: client.address,
    protocol: client.stream === null ? "http/1.1" : "h2",
    clientConnection: client.connection,
    clientStream: client.stream,
    tags: ["malformed"],
  });
  const detail = `The request could not be read: ${reason}.`;
  recording.ended(options.clock.now(), { kind: "failed", errorType: "request-malformed", detail, status });
}
