import type { FromEngine, Hello, PageProof, ToEngine } from "../../engine/messages/messages.ts";
import type { Channel, ChannelState } from "./channel.ts";
import { canHoldKey, drawnNonce, keyFrom, type PageKey, proofFor, ticketFrom } from "./window-key.ts";

/**
 * Milliseconds before a new attempt to connect (docs/security.md R12). Each wait is twice the previous one, from
 * `SHORTEST_WAIT` up to `LONGEST_WAIT`.
 */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 5_000;

/** The loopback server's close code for an unknown ticket or key, as when another Weir now runs at this address. */
const NOT_ADMITTED = 4403;

/** Shown in a page without a valid ticket. */
const NO_TICKET = "This page's address lacks Weir's ticket. Open Weir again from where it was started.";

const OTHER_WEIR =
  "The Weir that now runs at this address does not know this page. Open Weir again from where it was started.";

/** Appended to why the engine has ended. */
const RECONNECTS = "This page then reconnects by itself.";

/** Address and ticket of the engine's socket; `ticket` is `null` if this page has no ticket. */
export interface Door {
  readonly address: string;
  readonly ticket: string | null;
  /** The page's origin. */
  readonly origin: string;
  /** Stores a ticket for a reload of this page. */
  readonly keep?: (ticket: string) => void;
  /** Called when another version of Weir now runs, whose page this is not. */
  readonly replaced?: () => void;
}

/**
 * The channel over the engine's own WebSocket. Reconnects, also to a later start, until the engine refuses the page.
 */
export class SocketChannel implements Channel {
  readonly #door: Door | Promise<Door>;
  readonly #messageListeners: ((message: FromEngine) => void)[] = [];
  readonly #stateListeners: ((state: ChannelState) => void)[] = [];
  #socket: WebSocket | null = null;
  #wait = SHORTEST_WAIT;
  #state: ChannelState = { kind: "connecting" };
  /** This page's next ticket of the start that admitted it; `null` before. */
  #ticket: string | null = null;
  #key: PageKey | null = null;
  #version: string | null = null;

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

  #open(door: Door): void {
    const ticket = this.#ticket ?? door.ticket;
    if (ticket === null) {
      this.#enter({ kind: "closed", reason: NO_TICKET });
      return;
    }
    const key = this.#key;
    const nonce = key === null ? "" : drawnNonce();
    const socket = new WebSocket(door.address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const hello: Hello =
        key === null ? { type: "hello", ticket, keyed: canHoldKey() } : { type: "hello", key: key.id, nonce };
      socket.send(JSON.stringify(hello));
      // Later, another Weir may answer here: the channel is open once the page is admitted.
      if (this.#version === null) this.#opened();
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(String(event.data)) as FromEngine;
      switch (message.type) {
        case "challenge":
          if (key !== null) void this.#answer(socket, key, message, { origin: door.origin, nonce });
          return;
        case "key":
          this.#opened();
          void this.#admitted(door, key, ticket, message);
          return;
        case "shutdown":
          this.#enter({ kind: "lost", reason: `${message.reason} ${RECONNECTS}` });
          return;
        default:
          for (const listener of this.#messageListeners) listener(message);
      }
    });
    socket.addEventListener("close", (event) => {
      this.#socket = null;
      if (event.code !== NOT_ADMITTED) return this.#reconnect();
      if (key === null) return this.#enter({ kind: "closed", reason: this.#version === null ? NO_TICKET : OTHER_WEIR });
      // The engine may not have stored the key, but know the ticket.
      this.#key = null;
      this.#open(door);
    });
  }

  send(message: ToEngine): void {
    if (this.#state.kind === "open" && this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify(message));
  }

  onMessage(listener: (message: FromEngine) => void): void {
    this.#messageListeners.push(listener);
  }

  onState(listener: (state: ChannelState) => void): void {
    this.#stateListeners.push(listener);
    listener(this.#state);
  }

  #opened(): void {
    this.#wait = SHORTEST_WAIT;
    this.#enter({ kind: "open" });
  }

  /** Proves the key, once the engine has. */
  async #answer(
    socket: WebSocket,
    key: PageKey,
    { nonce: engineNonce, proof }: Extract<FromEngine, { readonly type: "challenge" }>,
    { origin, nonce: pageNonce }: { readonly origin: string; readonly nonce: string },
  ): Promise<void> {
    const own = await proofFor(key, { origin, key: key.id, pageNonce, engineNonce }, proof);
    if (own === null) return socket.close();
    socket.send(JSON.stringify({ type: "proof", proof: own } satisfies PageProof));
  }

  async #admitted(
    { origin, keep, replaced }: Door,
    key: PageKey | null,
    ticket: string,
    { salt, version }: Extract<FromEngine, { readonly type: "key" }>,
  ): Promise<void> {
    const isOther = this.#version !== null && this.#version !== version;
    this.#version = version;
    this.#key = key ?? (await keyFrom(ticket, salt, origin));
    this.#ticket = await ticketFrom(this.#key, salt);
    keep?.(this.#ticket);
    if (isOther) replaced?.();
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
