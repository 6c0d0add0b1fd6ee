import type { Side } from "../../../../../src/engine/capture/event.ts";
import type { RequestHead, ResponseHead } from "../http1/message.ts";
import type { Failure } from "../sockets/error-type.ts";
import { Splice, type SpliceObserver } from "../sockets/splice.ts";
import type { ServerConnection } from "../upstream/server-connection.ts";
import { WebSocketObserver } from "../websocket/websocket.ts";
import type { Client, RelayNetwork } from "./client-exchange.ts";
import type { ExchangeEmitter } from "./exchange-emitter.ts";

/**
 * After a 101, joins the client's socket with the server's, whose bytes are no longer HTTP. Observes the messages of a
 * WebSocket.
 */
export function startUpgradedConnection(
  request: RequestHead,
  response: ResponseHead,
  client: Client,
  server: ServerConnection,
  emitter: ExchangeEmitter,
  network: RelayNetwork,
): void {
  const early = { toServer: client.handOver(), toClient: server.reader.rest() };
  const { clock, settings } = network;
  const ended = (failure: Failure | null): void => {
    const at = clock.now();
    if (failure === null) emitter.responseEnded(at);
    emitter.ended(
      at,
      failure === null ? { kind: "responded", status: 101 } : { kind: "failed", ...failure, status: 101 },
    );
  };
  const observer: SpliceObserver =
    request.upgrade === "websocket"
      ? new WebSocketObserver(response, emitter, { now: () => clock.now(), cap: settings().bodyCap }, ended)
      : { passed: (side, bytes) => recorded(emitter, side, bytes), ended };
  new Splice(client.peer.socket, server.handOver(), network, observer).start(early);
}

function recorded(emitter: ExchangeEmitter, side: Side, bytes: Buffer): true {
  emitter.body(side, bytes);
  return true;
}
