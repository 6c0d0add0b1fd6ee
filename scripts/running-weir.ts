import { WebSocket } from "ws";
import type { Owner } from "../extensions/proxy/storage/lock.ts";
import type { Command, FromEngine } from "../src/engine/messages/messages.ts";
import type { Status } from "../src/engine/messages/status-messages.ts";

/** A connection to the running Weir, over the socket of its windows. */
export class RunningWeir {
  readonly #socket: WebSocket;
  readonly #replies = new Map<number, (reply: Extract<FromEngine, { readonly type: "reply" }>) => void>();
  readonly #onStatus: (status: Status) => void;
  #count = 0;

  private constructor(socket: WebSocket, onStatus: (status: Status) => void) {
    this.#socket = socket;
    this.#onStatus = onStatus;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as FromEngine));
  }

  /**
   * Connects, and calls `onStatus` with the state whenever it changes. `null`: Weir cannot be reached, or has not
   * written its ticket.
   */
  static async connect({ ui, ticket }: Owner, onStatus: (status: Status) => void): Promise<RunningWeir | null> {
    if (ui === null || ticket === null) return null;
    const { origin, host } = new URL(ui);
    const socket = new WebSocket(`ws://${host}/channel`, { origin, perMessageDeflate: false });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (!isOpen) return null;
    const weir = new RunningWeir(socket, onStatus);
    socket.send(JSON.stringify({ type: "hello", ticket }));
    socket.send(JSON.stringify({ type: "subscribe", subscription: 1, query: { view: "status" } }));
    return weir;
  }

  /** Resolves when the connection has ended. */
  get over(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) resolve();
      else this.#socket.once("close", () => resolve());
    });
  }

  /** Resolves with why the command was refused, as a sentence; `null` if it was executed. */
  async send(command: Command): Promise<string | null> {
    this.#count += 1;
    const number = this.#count;
    const replied = new Promise<string | null>((resolve) => {
      this.#replies.set(number, (reply) => resolve(reply.ok ? null : reply.problem));
    });
    this.#socket.send(JSON.stringify({ type: "command", number, command }));
    return await Promise.race([replied, this.over.then(() => "Weir has ended.")]);
  }

  close(): void {
    this.#socket.close();
  }

  #receive(message: FromEngine): void {
    if (message.type === "reply") {
      this.#replies.get(message.number)?.(message);
      this.#replies.delete(message.number);
    }
    if (message.type !== "value") return;
    const { subscription, revision } = message;
    this.#socket.send(JSON.stringify({ type: "ack", subscription, revision }));
    this.#onStatus(message.value as Status);
  }
}
