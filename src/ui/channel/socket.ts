import type { FromEngine, Hello, ToEngine } from "../../engine/messages/messages.ts";
import type { Channel, ChannelState } from "./channel.ts";

/**
 * Milliseconds before a new attempt to connect (docs/security.md R12). Each wait is twice the previous one, from
 * `SHORTEST_WAIT` up to `LONGEST_WAIT`.
 */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 5_000;

/** The loopback server's close code for an unknown ticket, as when another Weir now runs at this address. */
const WRONG_TICKET = 4403;

/** Shown in a page without a valid ticket. */
const NO_TICKET = "This page's address lacks Weir's ticket. Open Weir again from where it was started.";

/** Address and ticket of the engine's socket; `ticket` is `null` if this page has no ticket. */
export interface Door {
  readonly address: string;
  readonly ticket: string | null;
}

/** The channel over the engine's own WebSocket. Reconnects until the engine exits or rejects the ticket. */
export class SocketChannel implements Channel {
  readonly #door: Door | Promise<Door>;
  readonly #messageListeners: ((message: FromEngine) => void)[] = [];
  readonly #stateListeners: ((state: ChannelState) => void)[] = [];
  #socket: WebSocket | null = null;
  #wait = SHORTEST_WAIT;
  #state: ChannelState = { kind: "connecting" };

  constructor(door: Door | Promise<Door>) {
    this.#door = door;
  }

  /**
   * Emits no message in this turn of the event loop, so that listeners can still be added. Without a ticket, the
   * channel is closed at once.
   */
  connect(): void {
    if (this.#door instanceof Promise) void this.#door.then((door) => this.#open(door));
    else this.#open(this.#door);
  }

  #open({ address, ticket }: Door): void {
    if (ticket === null) {
      this.#enter({ kind: "closed", reason: NO_TICKET });
      return;
    }
    const hello: Hello = { type: "hello", ticket };
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify(hello));
      this.#wait = SHORTEST_WAIT;
      this.#enter({ kind: "open" });
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(String(event.data)) as FromEngine;
      if (message.type === "shutdown") {
        this.#enter({ kind: "closed", reason: message.reason });
        return;
      }
      for (const listener of this.#messageListeners) listener(message);
    });
    socket.addEventListener("close", (event) => {
      this.#socket = null;
      if (event.code === WRONG_TICKET) this.#enter({ kind: "closed", reason: NO_TICKET });
      else this.#reconnect();
    });
  }

  send(message: ToEngine): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  onMessage(listener: (message: FromEngine) => void): void {
    this.#messageListeners.push(listener);
  }

  onState(listener: (state: ChannelState) => void): void {
    this.#stateListeners.push(listener);
    listener(this.#state);
  }

  #reconnect(): void {
    if (this.#state.kind === "closed") return;
    this.#enter({ kind: "lost" });
    setTimeout(() => this.connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #enter(state: ChannelState): void {
    if (this.#state.kind === state.kind) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
