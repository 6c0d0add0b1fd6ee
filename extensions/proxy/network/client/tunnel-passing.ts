import type { Socket } from "node:net";
import type { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import { bodyOf, headOf } from "../relay/generated-response.ts";
import { failureResponse } from "../relay/local-exchange.ts";
import { ClosingSocket } from "../sockets/disconnect-policy.ts";
import { type Failure, statusFor } from "../sockets/error-type.ts";
import { Splice, type SpliceNetwork } from "../sockets/splice.ts";
import type { DialResult } from "../upstream/dial.ts";

export const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

interface ClientEnd {
  /** The client's socket, from which the tunnel has removed its listeners. */
  readonly socket: Socket;
  /** Whether the client received its 200. */
  readonly isOpen: boolean;
  /** The client's bytes so far. */
  readonly early: Buffer;
}

/** Joins a tunnel's client to the server that was dialled, or tells the client why not. */
export function passThrough(
  result: DialResult,
  client: ClientEnd,
  emitter: ExchangeEmitter,
  network: SpliceNetwork,
): void {
  emitter.dialled(result.times);
  if (result.kind === "failed") return refuse(result.failure, client, emitter, network);
  if (result.unverifiedAllowed) emitter.tag("tls-exception");
  if (!client.isOpen) client.socket.write(ESTABLISHED, "latin1");
  emitter.responseStarted(network.clock.now(), 200, ESTABLISHED);
  const splice = new Splice(client.socket, result.socket, network, {
    passed: (side, bytes) => emitter.passed(side, bytes),
    ended: (failure) => {
      const at = network.clock.now();
      emitter.responseEnded(at);
      emitter.ended(
        at,
        failure === null ? { kind: "responded", status: 200 } : { kind: "failed", ...failure, status: 200 },
      );
    },
  });
  splice.start({ toServer: client.early, toClient: NOTHING });
}

function refuse(
  failure: Failure,
  { socket, isOpen }: ClientEnd,
  emitter: ExchangeEmitter,
  network: SpliceNetwork,
): void {
  const status = isOpen ? null : statusFor(failure.errorType);
  if (status === null) new ClosingSocket(socket, network).drain();
  else {
    const response = failureResponse(failure);
    socket.write(headOf(response, false), "latin1");
    socket.write(bodyOf(response));
    new ClosingSocket(socket, network);
  }
  emitter.ended(network.clock.now(), { kind: "failed", ...failure, status });
}

const NOTHING = Buffer.alloc(0);
