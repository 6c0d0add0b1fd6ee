import type { ProxyState } from "../../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import { PREFERRED_PORT } from "../process/arguments.ts";
import { listenAddress } from "../process/lan-address.ts";
import { errorText } from "../storage/private-file.ts";
import type { Listener } from "./network/client/listener.ts";
import { freePort } from "./network/sockets/free-port.ts";

/** How many ports are tried, from the preferred one on, before any free port is taken. */
const NEIGHBOURS = 20;

interface SwitchOptions {
  readonly listener: Pick<Listener, "start" | "stop">;
  readonly address: string;
  /** The port that the user chose, which is never replaced. `null`: the preferred port, or the next free one. */
  readonly port: number | null;
  readonly onState: (state: ProxyState) => void;
}

/**
 * Starts and stops the proxy. A later start uses the same address and, if it is free, the same port, since clients keep
 * their settings.
 */
export class ProxySwitch {
  readonly #options: SwitchOptions;
  /** The address at which the proxy listens after the next start. */
  #address: string;
  #state: ProxyState;
  #change: Promise<ProxyState>;

  constructor(options: SwitchOptions) {
    this.#options = options;
    this.#address = options.address;
    const port = options.port ?? PREFERRED_PORT;
    this.#state = Object.freeze({ running: false, address: options.address, port, wantedPort: null, problem: null });
    this.#change = Promise.resolve(this.#state);
  }

  get state(): ProxyState {
    return this.#state;
  }

  /** Starts or stops the proxy. Changes run one after another. `drain`: how long requests in flight may take to end. */
  run(on: boolean, drain: Milliseconds | null = null): Promise<ProxyState> {
    this.#change = this.#change.then(() => (on ? this.#start() : this.#stop(drain)));
    return this.#change;
  }

  /**
   * Sets whether other devices may connect, and keeps the port. Restarts a running listener. Until the open connections
   * have drained (`Listener.stop`), new clients are refused.
   */
  reach(lan: boolean): Promise<ProxyState> {
    this.#change = this.#change.then(() => this.#move(listenAddress(this.#options.address, lan)));
    return this.#change;
  }

  async #start(): Promise<ProxyState> {
    if (this.#state.running) return this.#state;
    const wanted = this.#state.port;
    for (const port of this.#candidates()) {
      try {
        const at = await this.#options.listener.start(this.#address, port);
        const wantedPort = wanted === 0 || at.port === wanted ? null : wanted;
        return this.#enter({ running: true, address: at.address, port: at.port, wantedPort, problem: null });
      } catch (error) {
        if (!isTaken(error, this.#options.port === null))
          return this.#enter({ ...this.#state, problem: problemAt(this.#address, port, error) });
      }
    }
    const free = await freePort(this.#address, wanted + 1);
    const offer = free === null ? "" : ` Port ${free} is free.`;
    return this.#enter({ ...this.#state, problem: `Port ${wanted} is taken by another program.${offer}` });
  }

  async #move(address: string): Promise<ProxyState> {
    const before = this.#address;
    const { running, problem } = this.#state;
    if (address === before)
      return running && problem !== null ? this.#enter({ ...this.#state, problem: null }) : this.#state;
    this.#address = address;
    if (!running) return this.#enter({ ...this.#state, address, problem: null });
    const { listener } = this.#options;
    const { port } = this.#state;
    await listener.stop();
    try {
      const at = await listener.start(address, port);
      return this.#enter({ ...this.#state, address: at.address, problem: null });
    } catch (error) {
      // The port cannot be opened at the new address, so the proxy returns to the old address.
      this.#address = before;
      this.#state = { ...this.#state, running: false };
      await this.#start();
      return this.#enter({ ...this.#state, problem: problemAt(address, port, error) });
    }
  }

  async #stop(drain: Milliseconds | null): Promise<ProxyState> {
    if (!this.#state.running) return this.#state;
    const drained = this.#options.listener.stop(drain);
    // The new state is published before the drain, so that nothing waits for a proxy that is stopping.
    const stopped = this.#enter({ ...this.#state, running: false, wantedPort: null, problem: null });
    await drained;
    return stopped;
  }

  #candidates(): readonly number[] {
    const { port } = this.#state;
    if (port === 0 || this.#options.port !== null) return [port];
    const neighbours = Array.from({ length: NEIGHBOURS }, (_, index) => port + index).filter((one) => one <= 65_535);
    return [...neighbours, 0];
  }

  #enter(state: ProxyState): ProxyState {
    this.#state = Object.freeze(state);
    this.#options.onState(this.#state);
    return this.#state;
  }
}

/**
 * Whether the error says that the port is in use. `isOurs`: the port is a default that may be replaced, so a port that
 * Windows reserves (EACCES) counts as in use.
 */
function isTaken(error: unknown, isOurs: boolean): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  return error.code === "EADDRINUSE" || (isOurs && error.code === "EACCES");
}

function problemAt(address: string, port: number, error: unknown): string {
  return `The proxy cannot listen on ${hostPort(address, port)}: ${reasonOf(error)}.`;
}

function reasonOf(error: unknown): string {
  if (isTaken(error, false)) return "another program uses that port";
  return errorText(error);
}
