import type { ProxyState } from "../../src/engine/messages/messages.ts";
import type { Milliseconds } from "../../src/engine/model/units.ts";
import { freePort } from "./network/free-port.ts";
import type { Listener } from "./network/listener.ts";

/** decisions.md, Proxy listen. */
const PREFERRED_PORT = 8686;

/** Our choice: how many ports after the wanted one are tried before any free one is taken. */
const NEIGHBOURS = 20;

interface SwitchOptions {
  readonly listener: Listener;
  readonly address: string;
  /** `null`: the preferred one or the next that is free. A number was asked for by name and is not exchanged for another. */
  readonly port: number | null;
  readonly onState: (state: ProxyState) => void;
}

/** Starts and stops the proxy, and knows on which address it is. Clients keep their setting, so it comes back where it was. */
export class ProxySwitch {
  readonly #options: SwitchOptions;
  #state: ProxyState;
  #change: Promise<ProxyState>;

  constructor(options: SwitchOptions) {
    this.#options = options;
    const port = options.port ?? PREFERRED_PORT;
    this.#state = Object.freeze({ running: false, address: options.address, port, wantedPort: null, problem: null });
    this.#change = Promise.resolve(this.#state);
  }

  get state(): ProxyState {
    return this.#state;
  }

  /** One change at a time: a second press waits for the first. `drain`: how long what is in flight may take to end. */
  run(on: boolean, drain: Milliseconds | null = null): Promise<ProxyState> {
    this.#change = this.#change.then(() => (on ? this.#start() : this.#stop(drain)));
    return this.#change;
  }

  async #start(): Promise<ProxyState> {
    if (this.#state.running) return this.#state;
    const wanted = this.#state.port;
    for (const port of this.#candidates()) {
      try {
        const at = await this.#options.listener.start(this.#options.address, port);
        const wantedPort = wanted === 0 || at.port === wanted ? null : wanted;
        return this.#enter({ running: true, address: at.address, port: at.port, wantedPort, problem: null });
      } catch (error) {
        if (!isTaken(error)) return this.#enter({ ...this.#state, problem: wordsOf(error) });
      }
    }
    const { address } = this.#options;
    const free = await freePort(address, wanted + 1);
    const offer = free === null ? "" : ` Port ${free} is free.`;
    return this.#enter({ ...this.#state, problem: `Port ${wanted} is taken by another program.${offer}` });
  }

  async #stop(drain: Milliseconds | null): Promise<ProxyState> {
    if (!this.#state.running) return this.#state;
    // Said first, so that nobody waits for what is being ended.
    const stopped = this.#enter({ ...this.#state, running: false, wantedPort: null, problem: null });
    await this.#options.listener.stop(drain);
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

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function wordsOf(error: unknown): string {
  return `The proxy cannot listen: ${error instanceof Error ? error.message : String(error)}.`;
}
