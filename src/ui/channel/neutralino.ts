import { events, extensions, init, window as nativeWindow } from "@neutralinojs/lib";
import type { FromEngine, ToEngine } from "../../engine/messages/messages.ts";
import type { Channel, ChannelState } from "./channel.ts";
import { keepPage } from "./keep-page.ts";

/** Our extension, as neutralino.config.json names it. */
const EXTENSION = "dev.weir.proxy";

/** Events that carry one message as JSON text, there and back. */
const TO_ENGINE = "weir.toEngine";
const FROM_ENGINE = "weir.fromEngine";

/** Our choice: an engine that failed is started again within this time, or never (the shell itself restarts nothing). */
const PATIENCE = 5_000;

/** Our choice: a first start may have to make keys and to read a large store; after this it has failed. */
const START_PATIENCE = 20_000;

const NOT_STARTED =
  "Nothing was heard from Weir's engine. When Weir is started from a terminal, it says there what is wrong.";

const ENGINE_ENDED = "Weir's engine has ended. What was captured is kept: close this window and start Weir again.";

/** The native window's way to the engine: Neutralino's own socket and our extension behind it. */
export class NeutralinoChannel implements Channel {
  readonly #messageListeners: ((message: FromEngine) => void)[] = [];
  readonly #stateListeners: ((state: ChannelState) => void)[] = [];
  #state: ChannelState = { kind: "connecting" };
  #giveUp: ReturnType<typeof setTimeout> | undefined;

  /** Nothing is heard before the next turn: listeners may still be added in this one. */
  connect(): void {
    keepPage();
    init();
    void events.on(FROM_ENGINE, (event: CustomEvent<string>) => {
      const message = JSON.parse(event.detail) as FromEngine;
      if (message.type === "farewell") {
        this.#enter({ kind: "closed", reason: message.reason });
        return;
      }
      clearTimeout(this.#giveUp);
      this.#enter({ kind: "open" });
      for (const listener of this.#messageListeners) listener(message);
    });
    const ended = () => this.#enter({ kind: "closed", reason: ENGINE_ENDED });
    void events.on("serverOffline", ended);
    void events.on("extClientDisconnect", (event: CustomEvent<string>) => {
      if (event.detail !== EXTENSION) return;
      this.#enter({ kind: "lost" });
      clearTimeout(this.#giveUp);
      this.#giveUp = setTimeout(ended, PATIENCE);
      this.#greet();
    });
    this.#giveUp = setTimeout(() => this.#enter({ kind: "closed", reason: NOT_STARTED }), START_PATIENCE);
    this.#greet();
    void nativeWindow.show();
  }

  send(message: ToEngine): void {
    if (this.#state.kind === "open") this.#dispatch(JSON.stringify(message));
  }

  onMessage(listener: (message: FromEngine) => void): void {
    this.#messageListeners.push(listener);
  }

  onState(listener: (state: ChannelState) => void): void {
    this.#stateListeners.push(listener);
    listener(this.#state);
  }

  /** Queued by the library until the extension is there. It greets back, and then the subscriptions go out. */
  #greet(): void {
    this.#dispatch(JSON.stringify({ type: "hello", ticket: "" }));
  }

  #dispatch(text: string): void {
    extensions.dispatch(EXTENSION, TO_ENGINE, text).catch(() => {
      // The extension is gone; its end is told by extClientDisconnect.
    });
  }

  #enter(state: ChannelState): void {
    if (this.#state.kind === state.kind || this.#state.kind === "closed") return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
