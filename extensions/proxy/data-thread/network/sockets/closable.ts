import type { Socket } from "node:net";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { Clock } from "../../../process/clock.ts";
import type { NetworkLimits } from "../network-options.ts";
import type { ConnectionLog } from "./connection-log.ts";

/** An object that is open as long as its socket. */
export interface Closable {
  /** Closes the object or ends its exchanges if a time limit has passed. Called about once a second. */
  expire(now: Instant): void;
  /** Closes as soon as nothing is in flight. */
  drain(): void;
  /** Closes at once. Exchanges in flight end as `proxy-stopped`. */
  stop(): void;
}

export interface SocketNetwork {
  readonly clock: Clock;
  readonly limits: NetworkLimits;
  readonly openConnections: Set<Closable>;
  readonly log: ConnectionLog | null;
}

/** What the owner of a socket does with its events. */
interface Listeners {
  readonly data: (bytes: Buffer) => void;
  readonly drain?: () => void;
  readonly end: () => void;
  readonly error: (error: Error) => void;
  readonly close: () => void;
}

/**
 * Calls the owner's listeners. Returns a function that removes them, for another owner. One for errors then stays:
 * later owners remove only their own, and an error without a listener would end the process.
 */
export function listenTo(socket: Socket, { data, drain, end, error, close }: Listeners): () => void {
  if (drain !== undefined) socket.on("drain", drain);
  socket.on("data", data).on("end", end).on("error", error).on("close", close);
  return () => {
    if (drain !== undefined) socket.off("drain", drain);
    socket.off("data", data).off("end", end).off("error", error).off("close", close);
    socket.on("error", () => {});
  };
}
