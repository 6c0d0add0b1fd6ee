import { once } from "node:events";
import { WebSocket } from "ws";
import type {
  Command,
  FromEngine,
  ListQuery,
  Query,
  RecordOf,
  ToEngine,
  ValueOf,
  ValueQuery,
} from "../../src/engine/messages/messages.ts";
import type { Ready } from "./running-weir.ts";

/** A connection for messages of a page, as JSON texts in both directions. */
export interface PageLink {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  /** Called when the other side closes; absent if that cannot be observed. */
  onClose?(listener: () => void): void;
  close(): void;
}

/** A page that shows nothing: speaks the page's protocol over a socket of its own or over another connection. */
export class PageClient {
  readonly #link: PageLink;
  readonly #heard: FromEngine[] = [];
  #arrived: () => void = () => {};
  #isGone = false;
  #count = 0;

  private constructor(link: PageLink) {
    this.#link = link;
    link.onMessage((text) => {
      this.#heard.push(JSON.parse(text) as FromEngine);
      this.#arrived();
    });
    link.onClose?.(() => {
      this.#isGone = true;
      this.#arrived();
    });
  }

  static async open({ ui }: Pick<Ready, "ui">): Promise<PageClient> {
    const { origin, host, hash } = new URL(ui);
    const socket = new WebSocket(`ws://${host}/channel`, { origin });
    await once(socket, "open");
    const client = PageClient.over(socketLink(socket), new URLSearchParams(hash.slice(1)).get("ticket"));
    await client.heard("welcome");
    return client;
  }

  /** Sends the first message; `heard` returns the answers. */
  static over(link: PageLink, ticket: string | null): PageClient {
    const client = new PageClient(link);
    link.send(JSON.stringify({ type: "hello", ticket }));
    return client;
  }

  /** The next message of this type that was not read yet. */
  async heard<Type extends FromEngine["type"]>(type: Type): Promise<Extract<FromEngine, { type: Type }>> {
    return (await this.#hear((message) => message.type === type)) as Extract<FromEngine, { type: Type }>;
  }

  /** The current records of a list. */
  async list<View extends ListQuery["view"]>(
    query: Extract<ListQuery, { view: View }>,
  ): Promise<readonly RecordOf[View][]> {
    const message = await this.#answer(query);
    if (message.type !== "window") throw new Error(`not a window: ${JSON.stringify(message)}`);
    return message.records as readonly RecordOf[View][];
  }

  /** Resolves with the value when it matches. */
  async value<View extends ValueQuery["view"]>(
    query: Extract<ValueQuery, { view: View }>,
    isSo: (value: ValueOf[View]) => boolean = () => true,
  ): Promise<ValueOf[View]> {
    this.#count += 1;
    const subscription = this.#count;
    this.#say({ type: "subscribe", subscription, query });
    for (;;) {
      const message = await this.#hear((one) => "subscription" in one && one.subscription === subscription);
      if (message.type !== "value") throw new Error(`not a value: ${JSON.stringify(message)}`);
      this.#say({ type: "ack", subscription, revision: message.revision });
      const value = message.value as ValueOf[View];
      if (!isSo(value)) continue;
      this.#say({ type: "unsubscribe", subscription });
      return value;
    }
  }

  /** Resolves with the reply's value; throws the reply's problem. */
  async command(command: Command): Promise<unknown> {
    this.#count += 1;
    const number = this.#count;
    this.#say({ type: "command", number, command });
    const reply = await this.#hear((message) => message.type === "reply" && message.number === number);
    if (reply.type !== "reply") throw new Error("not a reply");
    if (!reply.ok) throw new Error(reply.problem);
    return reply.value;
  }

  /** Presses "Start again" of a native window whose engine has failed. */
  startAgain(): void {
    this.#link.send(JSON.stringify({ type: "start-again" }));
  }

  close(): void {
    this.#link.close();
  }

  async #answer(query: Query): Promise<FromEngine> {
    this.#count += 1;
    const subscription = this.#count;
    this.#say({ type: "subscribe", subscription, query });
    const message = await this.#hear((one) => "subscription" in one && one.subscription === subscription);
    this.#say({ type: "unsubscribe", subscription });
    return message;
  }

  async #hear(isIt: (message: FromEngine) => boolean): Promise<FromEngine> {
    for (;;) {
      const index = this.#heard.findIndex(isIt);
      if (index >= 0) return this.#heard.splice(index, 1)[0] as FromEngine;
      if (this.#isGone) throw new Error("Weir closed the page's socket");
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  #say(message: ToEngine): void {
    this.#link.send(JSON.stringify(message));
  }
}

function socketLink(socket: WebSocket): PageLink {
  return {
    send: (text) => socket.send(text),
    onMessage: (listener) => socket.on("message", (data) => listener(String(data))),
    onClose: (listener) => socket.on("close", listener),
    close: () => socket.terminate(),
  };
}
