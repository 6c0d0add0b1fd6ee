import type { Client } from "./client-exchange.ts";
import type { Failure } from "./error-type.ts";
import type { RequestHead, ResponseHead } from "./http1/message.ts";
import type { Network } from "./network.ts";
import type { Recording } from "./recording.ts";
import type { ServerConnection } from "./server-connection.ts";
import { Splice, type SpliceObserver } from "./splice.ts";
import { WebSocketObserver } from "./websocket.ts";

/** After a 101 both ends speak another protocol: its bytes are joined, and read on the side if it is WebSocket. */
export function beginConversation(
  request: RequestHead,
  response: ResponseHead,
  client: Client,
  server: ServerConnection,
  recording: Recording,
  network: Network,
): void {
  const early = { toServer: client.handOver(), toClient: server.reader.rest() };
  const { clock, settings } = network.options;
  const ended = (failure: Failure | null): void => {
    const at = clock.now();
    if (failure === null) recording.instants.responseEnd = at;
    recording.ended(
      at,
      failure === null ? { kind: "responded", status: 101 } : { kind: "failed", ...failure, status: 101 },
    );
  };
  const observer: SpliceObserver =
    request.upgrade === "websocket"
      ? new WebSocketObserver(response, recording, { now: () => clock.now(), cap: settings().bodyCap }, ended)
      : { passed: (side, bytes) => recording.body(side, bytes), ended };
  new Splice(client.socket, server.handOver(), early, network, observer);
}
