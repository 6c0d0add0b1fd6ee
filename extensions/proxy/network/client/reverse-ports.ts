import { createServer, type Server, type Socket } from "node:net";
import type { Problem } from "../../../../src/engine/model/result.ts";
import { originTextOf, type ReversePort, reversePortOf } from "../../../../src/engine/model/reverse-port.ts";
import type { ReverseProblem } from "../network-options.ts";
import { authorityOf, originOf } from "../origin.ts";
import type { ReverseRoute } from "./destination.ts";

/** docs/security.md S5: a reverse port is reachable only from this computer, whatever address the proxy listens on. */
const LOOPBACK = "127.0.0.1";

/** Serves the clients of reverse ports. */
interface ReverseServer {
  accept(socket: Socket, route: ReverseRoute): void;
  /** Drains the connections accepted for this route. */
  drain(route: ReverseRoute): void;
}

interface Open {
  readonly server: Server;
  readonly port: number;
  readonly route: ReverseRoute;
}

/** The listening sockets of reverse ports. */
export class ReversePorts {
  readonly #clients: ReverseServer;
  /** The open reverse ports, by their entry in the setting. */
  readonly #open = new Map<string, Open>();
  /** For each server that no longer listens, a promise that resolves when its last connection has closed. */
  readonly #closing = new Set<Promise<void>>();
  #change: Promise<readonly ReverseProblem[]> = Promise.resolve([]);
  /** The ports that are open. */
  ports: readonly number[] = [];

  constructor(clients: ReverseServer) {
    this.#clients = clients;
  }

  /** The entries of the setting that are open. */
  get entries(): readonly string[] {
    return [...this.#open.keys()];
  }

  /**
   * Opens these entries (`port=origin`) and closes all other reverse ports. The connections of a closed port end after
   * their exchanges in flight. Calls run one after another. Resolves with a problem for each entry whose port cannot be
   * opened.
   */
  apply(entries: readonly string[]): Promise<readonly ReverseProblem[]> {
    this.#change = this.#change.then(() => this.#apply(entries));
    return this.#change;
  }

  /** Closes all reverse ports. Resolves once their connections have ended. */
  async stop(): Promise<void> {
    await this.apply([]);
    await Promise.all(this.#closing);
  }

  async #apply(entries: readonly string[]): Promise<readonly ReverseProblem[]> {
    for (const [entry, open] of this.#open) {
      if (entries.includes(entry)) continue;
      this.#open.delete(entry);
      this.#close(open.server);
      this.#clients.drain(open.route);
    }
    const problems: ReverseProblem[] = [];
    for (const entry of entries) {
      const wanted = reversePortOf(entry);
      if (!wanted.ok || this.#open.has(entry)) continue;
      const text = await this.#listen(entry, wanted.value);
      if (text !== null) problems.push({ entry, text });
    }
    this.ports = Object.freeze([...this.#open.values()].map(({ port }) => port));
    return problems;
  }

  #close(server: Server): void {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }

  #listen(entry: string, wanted: ReversePort): Promise<Problem | null> {
    const { port, scheme } = wanted;
    const authority = authorityOf(wanted.authority);
    const prefix = `Reverse port ${port} to ${originTextOf(wanted)} is not open:`;
    if (authority === null) return Promise.resolve(`${prefix} the origin's host cannot be used.`);
    const route: ReverseRoute = Object.freeze({ kind: "reverse", origin: originOf(scheme, authority) });
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#clients.accept(socket, route),
    );
    return new Promise((resolve) => {
      server.once("error", (error) => resolve(`${prefix} ${reasonOf(error)}.`));
      server.listen({ host: LOOPBACK, port }, () => {
        server.removeAllListeners("error");
        // Ignored: accepting fails while no descriptors are left, but open connections are not affected.
        server.on("error", () => {});
        this.#open.set(entry, { server, port, route });
        resolve(null);
      });
    });
  }
}

function reasonOf(error: Error): string {
  const code = "code" in error ? error.code : "";
  if (code === "EADDRINUSE") return "the port is taken";
  if (code === "EACCES") return "the system does not let Weir use this port";
  return error.message;
}
