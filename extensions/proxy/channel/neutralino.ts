import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import type { NeutralinoConnection } from "../threads.ts";
import type { PageSocket } from "./loopback.ts";

/** Events that carry one message as JSON text, there and back; the page's half is ui/channel/neutralino.ts. */
const TO_ENGINE = "weir.toEngine";
const FROM_ENGINE = "weir.fromEngine";

/** Neutralino's own event: an entry of the menu was chosen. */
const MENU = "mainMenuItemClicked";

interface NeutralinoOptions {
  readonly onPage: (page: PageSocket) => void;
  /** The native process is gone, or never answered. It sends no signal: ending is our own business. */
  readonly onGone: () => void;
  /** Native methods can be called. */
  readonly onOpen?: () => void;
  /** An entry of the menu was chosen, by its id. */
  readonly onMenu?: (id: string) => void;
}

/** The extension's end of Neutralino's socket (neutralino.md section 2): the native main window behind it is our page. */
export class NeutralinoChannel {
  readonly #connection: NeutralinoConnection;
  readonly #options: NeutralinoOptions;
  readonly #socket: WebSocket;
  #receive: (text: string) => void = () => {};
  #leave: () => void = () => {};

  constructor(connection: NeutralinoConnection, options: NeutralinoOptions) {
    this.#connection = connection;
    this.#options = options;
    const { port, extensionId, connectToken } = connection;
    const query = new URLSearchParams({ extensionId, connectToken });
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}?${query}`, { perMessageDeflate: false });
    this.#socket.on("open", () => options.onOpen?.());
    this.#socket.on("message", (data) => this.#read(String(data)));
    this.#socket.on("error", () => {
      // `close` follows.
    });
    this.#socket.on("close", () => {
      this.#leave();
      options.onGone();
    });
  }

  /** Calls a native method that the allow list names; its answer is of no interest. */
  call(method: string, data: unknown): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const { token } = this.#connection;
    this.#socket.send(JSON.stringify({ id: randomUUID(), method, accessToken: token, data }));
  }

  close(): void {
    this.#socket.close();
  }

  #read(text: string): void {
    const message = eventOf(text);
    if (message === null) return;
    const { event, data } = message;
    if (event === MENU && typeof data === "object" && data !== null && "id" in data) {
      this.#options.onMenu?.(String(data.id));
    }
    if (event !== TO_ENGINE || typeof data !== "string") return;
    if (isHello(data)) this.#greet();
    else this.#receive(data);
  }

  /** The window's page says hello whenever it was loaded: what it had subscribed to before is over. */
  #greet(): void {
    this.#leave();
    this.#options.onPage({
      send: (text) => this.call("app.broadcast", { event: FROM_ENGINE, data: text }),
      onMessage: (listener) => {
        this.#receive = listener;
      },
      onClose: (listener) => {
        this.#leave = listener;
      },
    });
  }
}

/** Answers to our own calls carry no event and are of no interest. */
function eventOf(text: string): { readonly event: string; readonly data: unknown } | null {
  const message: unknown = JSON.parse(text);
  if (typeof message !== "object" || message === null || !("event" in message) || !("data" in message)) return null;
  const { event, data } = message;
  return typeof event === "string" ? { event, data } : null;
}

function isHello(text: string): boolean {
  return text.startsWith('{"type":"hello"');
}
