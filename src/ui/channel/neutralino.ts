import { app, events, extensions, init, window as nativeWindow } from "@neutralinojs/lib";
import type { FromEngine, ToEngine } from "../../engine/messages/messages.ts";
import type { Channel, ChannelState } from "./channel.ts";
import { keepPage } from "./keep-page.ts";
import { isOutOfReach } from "./window-place.ts";

/** The name of Weir's extension in neutralino.config.json. */
const EXTENSION = "dev.weir.proxy";

/** Events that carry one message as JSON text; one event per direction. */
const TO_ENGINE = "weir.toEngine";
const FROM_ENGINE = "weir.fromEngine";

/** Milliseconds that the page waits for a lost engine before it reports the engine's end. */
const PATIENCE = 5_000;

/**
 * Milliseconds that the page waits for the engine's first message. A first start may generate keys and read a large
 * store.
 */
const START_PATIENCE = 20_000;

/** Milliseconds in which the engine shows the window where it was last. */
const PLACED_WITHIN = 1_000;

const NOT_STARTED = "Weir's engine does not respond. Start Weir from a terminal to see why.";

const ENGINE_ENDED = "Weir's engine has stopped. Recordings are kept. Close this window and start Weir again.";

/** The native window's channel to the engine, over Neutralino's socket and Weir's extension. */
export class NeutralinoChannel implements Channel {
  readonly #messageListeners: ((message: FromEngine) => void)[] = [];
  readonly #stateListeners: ((state: ChannelState) => void)[] = [];
  #state: ChannelState = { kind: "connecting" };
  #giveUp: ReturnType<typeof setTimeout> | undefined;

  /** Emits nothing in this turn of the event loop, so that listeners can still be added. */
  connect(): void {
    keepPage();
    init();
    void events.on(FROM_ENGINE, (event: CustomEvent<string>) => {
      const message = JSON.parse(event.detail) as FromEngine;
      if (message.type === "shutdown") {
        clearTimeout(this.#giveUp);
        this.#enter({ kind: "closed", reason: message.reason, startable: message.startable });
        return;
      }
      clearTimeout(this.#giveUp);
      this.#enter({ kind: "open" });
      for (const listener of this.#messageListeners) listener(message);
    });
    void events.on("serverOffline", this.#ended);
    void events.on("extClientDisconnect", (event: CustomEvent<string>) => {
      if (event.detail !== EXTENSION) return;
      if (this.#state.kind !== "closed") this.#await();
      // What is started next, an engine or the offer of a new start, answers.
      this.#greet();
    });
    this.#giveUp = setTimeout(() => this.#enter({ kind: "closed", reason: NOT_STARTED }), START_PATIENCE);
    this.#greet();
    setTimeout(bringIntoReach, PLACED_WITHIN);
  }

  startAgain(): void {
    this.#dispatch(JSON.stringify({ type: "start-again" }));
    this.#await();
  }

  quit(): void {
    void app.killProcess();
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

  readonly #ended = (): void => this.#enter({ kind: "closed", reason: ENGINE_ENDED });

  /** Waits for the engine's next message. */
  #await(): void {
    this.#enter({ kind: "lost" });
    clearTimeout(this.#giveUp);
    this.#giveUp = setTimeout(this.#ended, PATIENCE);
  }

  /**
   * Greets the engine. The library queues the greeting until the extension is connected. The engine replies with
   * `welcome`, which opens the channel.
   */
  #greet(): void {
    this.#dispatch(JSON.stringify({ type: "hello", ticket: "" }));
  }

  #dispatch(text: string): void {
    extensions.dispatch(EXTENSION, TO_ENGINE, text).catch(() => {
      // The extension is disconnected; the event `extClientDisconnect` reports that.
    });
  }

  #enter(state: ChannelState): void {
    if (this.#state.kind === state.kind && state.kind !== "closed") return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}

/** Shows a window whose engine has not shown it, and centers one that was left on a screen that is gone. */
function bringIntoReach(): void {
  void nativeWindow.show();
  const own = { left: screenX, top: screenY, width: outerWidth, height: outerHeight };
  const { availLeft = 0, availTop = 0, availWidth, availHeight } = screen as ScreenArea;
  const area = { left: availLeft, top: availTop, width: availWidth, height: availHeight };
  if (isOutOfReach(own, area)) void nativeWindow.center();
}

/** `availLeft`, `availTop`: as browsers know them (Window Management, 3.2); TypeScript does not. */
interface ScreenArea extends Screen {
  readonly availLeft?: number;
  readonly availTop?: number;
}
