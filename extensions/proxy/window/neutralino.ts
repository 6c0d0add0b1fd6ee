import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { UiSocket } from "../engine-thread/channel/loopback.ts";
import type { NeutralinoConnection } from "../threads.ts";

/** The event for each direction. It carries one message as JSON text. ui/channel/neutralino.ts is the page's side. */
const TO_ENGINE = "weir.toEngine";
const FROM_ENGINE = "weir.fromEngine";

/** Neutralino's own event: the user chose a menu entry. */
const MENU = "mainMenuItemClicked";
const MAXIMIZED = "windowMaximize";
/** Neutralino's own event: a page's socket has closed. Its data is the number of sockets that are left. */
const PAGE_GONE = "appClientDisconnect";

/** Milliseconds in which a page that reloads is back. A suspended computer closes no socket. */
const BACK_WITHIN: Milliseconds = 10_000;

interface NeutralinoOptions {
  readonly onPage: (page: UiSocket) => void;
  /**
   * Called when the socket has closed or could not be opened. The native process sends its extensions no signal, so
   * Weir must then exit by itself.
   */
  readonly onGone: () => void;
  /** Called once the socket is open, so that native methods can be called. */
  readonly onOpen?: () => void;
  readonly onMenu?: (id: string) => void;
  readonly onMaximized?: () => void;
  /**
   * Called when the page has gone and not come back, though its window is there: the web view's process has crashed.
   */
  readonly onPageLost?: () => void;
  /** Replaces `BACK_WITHIN`. */
  readonly backWithin?: Milliseconds;
}

/** The extension's side of Neutralino's socket. The UI client is the page in the native main window. */
export class NeutralinoChannel {
  readonly #connection: NeutralinoConnection;
  readonly #options: NeutralinoOptions;
  readonly #socket: WebSocket;
  /** The calls whose replies are awaited, by id. */
  readonly #pending = new Map<string, (value: unknown) => void>();
  #receive: (text: string) => void = () => {};
  #disconnect: () => void = () => {};
  /** Runs from the time at which the page has gone until it is back. */
  #lost: NodeJS.Timeout | undefined;

  constructor(connection: NeutralinoConnection, options: NeutralinoOptions) {
    this.#connection = connection;
    this.#options = options;
    const { port, extensionId, connectToken } = connection;
    const query = new URLSearchParams({ extensionId, connectToken });
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}?${query}`, { perMessageDeflate: false });
    this.#socket.on("open", () => options.onOpen?.());
    this.#socket.on("message", (data) => this.#read(String(data)));
    this.#socket.on("error", () => {
      // The socket closes after an error, and `close` is handled.
    });
    this.#socket.on("close", () => {
      clearTimeout(this.#lost);
      this.#disconnect();
      options.onGone();
    });
  }

  /** Calls a native method from the allow list; its reply is ignored. */
  call(method: string, data: unknown): void {
    this.#send(method, data);
  }

  /**
   * Calls a native method and resolves with what it returns; `null` if it failed. Never resolves once the window is
   * gone.
   */
  ask(method: string): Promise<unknown> {
    return new Promise((resolve) => {
      const id = this.#send(method, {});
      if (id !== null) this.#pending.set(id, resolve);
    });
  }

  close(): void {
    this.#socket.close();
  }

  /** Returns the id of the call; `null` if the socket is closed. */
  #send(method: string, data: unknown): string | null {
    if (this.#socket.readyState !== WebSocket.OPEN) return null;
    const { token } = this.#connection;
    const id = randomUUID();
    this.#socket.send(JSON.stringify({ id, method, accessToken: token, data }));
    return id;
  }

  #read(text: string): void {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null || !("data" in message)) return;
    const { data } = message;
    if ("id" in message) this.#reply(String(message.id), data);
    const event = "event" in message ? message.event : null;
    if (event === MENU && typeof data === "object" && data !== null && "id" in data) {
      this.#options.onMenu?.(String(data.id));
    }
    if (event === MAXIMIZED) this.#options.onMaximized?.();
    if (event === PAGE_GONE && data === 0) this.#awaitPage();
    if (event !== TO_ENGINE || typeof data !== "string") return;
    if (isHello(data)) this.#greet();
    else this.#receive(data);
  }

  #awaitPage(): void {
    clearTimeout(this.#lost);
    this.#lost = setTimeout(() => {
      this.#disconnect();
      this.#options.onPageLost?.();
    }, this.#options.backWithin ?? BACK_WITHIN);
  }

  #reply(id: string, data: unknown): void {
    const value = typeof data === "object" && data !== null && "returnValue" in data ? data.returnValue : null;
    this.#pending.get(id)?.(value);
    this.#pending.delete(id);
  }

  /** Starts a new UI client and ends the earlier one. Called for the page's `hello`, which it sends at each load. */
  #greet(): void {
    clearTimeout(this.#lost);
    this.#disconnect();
    this.#options.onPage({
      send: (text) => this.call("app.broadcast", { event: FROM_ENGINE, data: text }),
      onMessage: (listener) => {
        this.#receive = listener;
      },
      onClose: (listener) => {
        this.#disconnect = listener;
      },
    });
  }
}

function isHello(text: string): boolean {
  return text.startsWith('{"type":"hello"');
}
