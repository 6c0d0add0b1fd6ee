import type { Socket } from "node:net";
import { hostPort } from "../../../../../src/engine/model/host-port.ts";

export type LogEvent = (event: string) => void;

/**
 * Writes one line for each event of a connection. A line begins with the connection's id (`c` for a client's, `s` for a
 * server's, `d` for a dial) and its peer. Events never quote a header, a body or a query (docs/security.md S10).
 */
export class ConnectionLog {
  readonly #write: (line: string) => void;
  readonly #clients = new WeakMap<Socket, LogEvent>();
  #lastClient = 0;
  #lastDial = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** `stream`: the HTTP/2 stream, if the event is about one. */
  client(socket: Socket, event: string, stream: number | null = null): void {
    this.clientEvents(socket)(stream === null ? event : `stream ${stream}: ${event}`);
  }

  clientEvents(socket: Socket): LogEvent {
    const known = this.#clients.get(socket);
    if (known !== undefined) return known;
    this.#lastClient += 1;
    const prefix = `c${this.#lastClient} ${peerOf(socket)}: `;
    const events: LogEvent = (event) => this.#write(prefix + event);
    this.#clients.set(socket, events);
    return events;
  }

  /** Logs `secured` and the `transport` below its TLS as one connection. */
  join(secured: Socket, transport: Socket): void {
    this.#clients.set(secured, this.clientEvents(transport));
  }

  /** Returns a function that writes the events of one attempt to connect to `server`. */
  dialEvents(server: string): LogEvent {
    this.#lastDial += 1;
    const prefix = `d${this.#lastDial} ${server}: `;
    return (event) => this.#write(prefix + event);
  }

  serverEvents(id: number, socket: Socket): LogEvent {
    const prefix = `s${id} ${peerOf(socket)}: `;
    return (event) => this.#write(prefix + event);
  }
}

/** An error as it is logged: only its code, since messages may quote what was received. */
export function codeIn(error: Error | null): string {
  if (error === null) return "";
  return "code" in error && typeof error.code === "string" ? ` (${error.code})` : ` (${error.name})`;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined || remotePort === undefined ? "unknown" : hostPort(remoteAddress, remotePort);
}
