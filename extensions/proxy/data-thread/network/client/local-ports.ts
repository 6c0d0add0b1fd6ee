import { createServer, type Server, type Socket } from "node:net";
import type { Problem } from "../../../../../src/engine/model/result.ts";
import { originTextOf, reversePortOf } from "../../../../../src/engine/model/reverse-port.ts";
import { transparentPortOf } from "../../../../../src/engine/model/transparent-port.ts";
import type { LocalPortProblem, NetworkSettings } from "../network-options.ts";
import { authorityOf, originOf } from "../origin.ts";
import { listening } from "../sockets/free-port.ts";
import type { ReverseRoute, TransparentRoute } from "./destination.ts";

/** docs/security.md S5: a reverse port is reachable only from this computer, whatever address the proxy listens on. */
const LOOPBACK = "127.0.0.1";

/** How clients of a local port are served. */
export type LocalRoute = ReverseRoute | TransparentRoute;

interface LocalServer {
  accept(socket: Socket, route: LocalRoute): void;
  /** Drains the connections accepted for this route. */
  drain(route: LocalRoute): void;
}

interface LocalPort {
  /** Its entry in the setting. */
  readonly entry: string;
  readonly address: string;
  readonly port: number;
  readonly title: string;
  /** `null` if the entry names a host that cannot be used. */
  readonly route: LocalRoute | null;
}

interface Open {
  readonly server: Server;
  readonly port: number;
  readonly route: LocalRoute;
}

/** The listening sockets besides the proxy's: reverse ports and transparent ports. */
export class LocalPorts {
  readonly #clients: LocalServer;
  /** The open ports, by their kind and their entry in the setting. */
  readonly #open = new Map<string, Open>();
  /** For each server that no longer listens, a promise that resolves when its last connection has closed. */
  readonly #closing = new Set<Promise<void>>();
  #change: Promise<readonly LocalPortProblem[]> = Promise.resolve([]);
  ports: readonly number[] = [];

  constructor(clients: LocalServer) {
    this.#clients = clients;
  }

  /** The entries of the kind's setting that are open. */
  entries(kind: LocalRoute["kind"]): readonly string[] {
    return [...this.#open].flatMap(([key, { route }]) => (route.kind === kind ? key.slice(kind.length + 1) : []));
  }

  /**
   * Opens the ports of these settings and closes all others. Transparent ports listen on `address`. The connections of
   * a closed port end after their exchanges in flight. Calls run one after another. Resolves with a problem for each
   * entry whose port cannot be opened.
   */
  apply(settings: LocalPortSettings, address: string): Promise<readonly LocalPortProblem[]> {
    this.#change = this.#change.then(() => this.#apply(portsOf(settings, address)));
    return this.#change;
  }

  /** Closes all ports. Resolves once their connections have ended. */
  async stop(): Promise<void> {
    await this.apply(NONE, LOOPBACK);
    await Promise.all(this.#closing);
  }

  async #apply(wanted: ReadonlyMap<string, LocalPort>): Promise<readonly LocalPortProblem[]> {
    for (const [key, open] of this.#open) {
      if (wanted.has(key)) continue;
      this.#open.delete(key);
      this.#close(open.server);
      this.#clients.drain(open.route);
    }
    const problems: LocalPortProblem[] = [];
    for (const [key, port] of wanted) {
      if (this.#open.has(key)) continue;
      const text = await this.#listen(key, port);
      if (text !== null) problems.push({ entry: port.entry, text });
    }
    this.ports = Object.freeze([...this.#open.values()].map(({ port }) => port));
    return problems;
  }

  #close(server: Server): void {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }

  async #listen(key: string, { address, port, title, route }: LocalPort): Promise<Problem | null> {
    const prefix = `${title} is not open:`;
    if (route === null) return `${prefix} the origin's host cannot be used.`;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#clients.accept(socket, route),
    );
    try {
      await listening(server, address, port);
    } catch (error) {
      return `${prefix} ${reasonOf(error)}.`;
    }
    this.#open.set(key, { server, port, route });
    return null;
  }
}

type LocalPortSettings = Pick<NetworkSettings, "reversePorts" | "transparentPorts">;

const NONE: LocalPortSettings = Object.freeze({ reversePorts: [], transparentPorts: [] });

function portsOf(settings: LocalPortSettings, address: string): ReadonlyMap<string, LocalPort> {
  const ports = new Map<string, LocalPort>();
  for (const entry of settings.reversePorts) {
    const wanted = reversePortOf(entry);
    if (!wanted.ok) continue;
    const { port, scheme } = wanted.value;
    const authority = authorityOf(wanted.value.authority);
    const route = authority === null ? null : Object.freeze({ kind: "reverse", origin: originOf(scheme, authority) });
    const title = `Reverse port ${port} to ${originTextOf(wanted.value)}`;
    ports.set(`reverse ${entry}`, { entry, address: LOOPBACK, port, title, route });
  }
  for (const entry of settings.transparentPorts) {
    const wanted = transparentPortOf(entry);
    if (!wanted.ok) continue;
    const { port, target } = wanted.value;
    const title = `Transparent port ${port} for servers' port ${target}`;
    const route = Object.freeze({ kind: "transparent", port: target });
    ports.set(`transparent ${entry}`, { entry, address, port, title, route });
  }
  return ports;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? error.code : "";
  if (code === "EADDRINUSE") return "the port is taken";
  if (code === "EACCES") return "the system does not let Weir use this port";
  return error.message;
}
