import type { Socket } from "node:net";
import type { ExchangeEmitter } from "../relay/exchange-emitter.ts";
import type { SocketNetwork } from "../sockets/closable.ts";
import { ClosingSocket } from "../sockets/disconnect-policy.ts";
import type { Failure } from "../sockets/error-type.ts";
import { Splice } from "../sockets/splice.ts";
import type { DialResult } from "../upstream/dial.ts";
import type { TunnelRequest } from "./tunnel-context.ts";

interface ClientEnd {
  /** The client's socket, without the tunnel's listeners. */
  readonly socket: Socket;
  readonly request: TunnelRequest;
  /** Whether the client got the reply that the tunnel is open. */
  readonly isOpen: boolean;
  /** The bytes that the client has sent so far. */
  readonly early: Buffer;
}

/**
 * Joins the client with the server that was dialled. After a failed dial, refuses the client, or closes a tunnel that
 * is already open.
 */
export function passThrough(
  result: DialResult,
  client: ClientEnd,
  emitter: ExchangeEmitter,
  network: SocketNetwork,
): void {
  emitter.dialled(result.times);
  if (result.kind === "failed") return refuse(result.failure, client, emitter, network);
  if (result.unverifiedAllowed) emitter.tag("tls-exception");
  const { established } = client.request;
  if (!client.isOpen) client.socket.write(established.bytes);
  emitter.responseStarted(network.clock.now(), 200, established.head);
  const splice = new Splice(client.socket, result.socket, network, {
    passed: (side, bytes) => {
      emitter.passed(side, bytes);
      return true;
    },
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
  { socket, request, isOpen }: ClientEnd,
  emitter: ExchangeEmitter,
  network: SocketNetwork,
): void {
  const refusal = isOpen ? null : request.refusal(failure);
  if (refusal === null) new ClosingSocket(socket, network).drain();
  else {
    socket.write(refusal.bytes);
    new ClosingSocket(socket, network);
  }
  emitter.ended(network.clock.now(), { kind: "failed", ...failure, status: refusal?.status ?? null });
}

const NOTHING = Buffer.alloc(0);
