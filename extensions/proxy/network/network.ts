import type { Socket } from "node:net";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { Client } from "./client-exchange.ts";
import type { Route } from "./destination.ts";
import type { NetworkLimits, NetworkOptions } from "./network-options.ts";
import type { Origin } from "./origin.ts";
import type { ReadMemory } from "./read-memory.ts";
import type { Upstream } from "./upstream.ts";

/** What all connections of one listener share. */
export interface Network {
  readonly options: NetworkOptions;
  readonly limits: NetworkLimits;
  readonly upstream: Upstream;
  /** Told of every chunk that was read. */
  readonly memory: ReadMemory;
  /** Everything that holds a client's socket now, or a server's that only has its last bytes to take. */
  readonly lives: Set<Life>;
  /** security.md, S5: whether a client may be connected to that address. */
  mayReach(address: string, isRemote: boolean): boolean;
  /** Number for a client's connection that has begun to ask, from 1 on. */
  nextClientConnection(client: Pick<Client, "socket" | "isRemote">): number;
  /** Reads requests from `socket` from now on, until that is handed over. */
  serve(socket: Socket, route: Route, options?: ServeOptions): Pick<Client, "handOver">;
  /** Likewise, in HTTP/2; inside a tunnel only. */
  serveHttp2(socket: Socket, origin: Origin, options?: Pick<ServeOptions, "unused">): void;
}

export interface ServeOptions {
  /** What came of the requests before. */
  readonly early?: Buffer;
  readonly unused?: Unused;
  /** The TCP connection beneath, where `socket` is TLS. */
  readonly transport?: Socket;
  /** Its requests were sent from the UI. */
  readonly resent?: boolean;
}

/** Told when a connection closes on which not one byte came. */
export type Unused = (error: Error | null) => void;

/** Something that lives as long as a socket. */
export interface Life {
  /** Called about once a second: gives up what has waited too long. */
  expire(now: Instant): void;
  /** Comes to an end by itself as soon as nothing is in flight. */
  drain(): void;
  /** Ends at once; what is in flight ends as `proxy-stopped`. */
  stop(): void;
}
