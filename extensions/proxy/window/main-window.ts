import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import type { ProxyState } from "../../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { UiSocket } from "../engine-thread/channel/loopback.ts";
import type { NeutralinoConnection } from "../threads.ts";
import { nativeMenu } from "./native-menu.ts";
import { NeutralinoChannel } from "./neutralino.ts";
import { Placement, type WindowBounds } from "./placement.ts";

/** Ms in which a window tells where it is before it ends. */
const ANSWERS_WITHIN = 300;
/** Ms in which a window ends that was asked to; it is then left alone. */
const CLOSES_WITHIN = 1_000;

interface MainWindowOptions {
  readonly onPage: (page: UiSocket) => void;
  readonly onGone: () => void;
  readonly onMenu: (id: string) => void;
  /** Where the window was last; `null` if that is not known. */
  readonly bounds: WindowBounds | null;
  readonly onBounds: (bounds: WindowBounds) => void;
  /** As in `NeutralinoChannel`. */
  readonly onPageLost: () => void;
}

/** The native main window: its page, title, menu and focus. */
export class MainWindow {
  readonly #channel: NeutralinoChannel;
  readonly #placement: Placement;
  #proxy: ProxyState | null = null;
  #isRecording = true;
  /** Whether the window exists: a connected page proves that. Neutralino crashes if a title is set before. */
  #isThere = false;
  #isGone = false;
  #onGone: () => void = () => {};

  constructor(connection: NeutralinoConnection, options: MainWindowOptions) {
    this.#channel = new NeutralinoChannel(connection, {
      ...options,
      onMaximized: () => this.#placement.maximized(),
      onPage: (page) => {
        if (!this.#isThere) this.#placement.restore();
        this.#isThere = true;
        this.#channel.call("window.setMainMenu", nativeMenu(process.platform));
        this.#showTitle();
        options.onPage(page);
      },
      onGone: () => {
        this.#isGone = true;
        this.#placement.stopWatching();
        this.#onGone();
        options.onGone();
      },
    });
    this.#placement = new Placement(this.#channel, options.bounds, options.onBounds);
  }

  /** Shows the proxy's address in the title. */
  set proxy(state: ProxyState) {
    this.#proxy = state;
    this.#showTitle();
  }

  /** Shows in the title whether recording is paused. */
  set recording(on: boolean) {
    this.#isRecording = on;
    this.#showTitle();
  }

  show(): void {
    raise(this.#channel);
  }

  /** Closes the window, and resolves once it is gone, or does not respond. */
  quit(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isGone) return resolve();
      this.#onGone = resolve;
      setTimeout(resolve, CLOSES_WITHIN);
      const end = () => this.#channel.call("app.killProcess", {});
      if (!this.#isThere) return end();
      void Promise.race([this.#placement.look(), setTimeoutAsync(ANSWERS_WITHIN)]).finally(end);
    });
  }

  close(): void {
    this.#channel.close();
  }

  #showTitle(): void {
    if (this.#isThere) this.#channel.call("window.setTitle", { title: titleOf(this.#proxy, this.#isRecording) });
  }
}

/** Brings the window of this channel to the front. */
export function raise(channel: Pick<NeutralinoChannel, "call">): void {
  for (const method of ["window.unminimize", "window.show", "window.focus"]) channel.call(method, {});
  if (process.platform !== "linux") return;
  // Window managers refuse the focus and only mark the window. Raising the window above all others for a moment leaves
  // it on top.
  for (const onTop of [true, false]) channel.call("window.setAlwaysOnTop", { onTop });
}

function titleOf(proxy: ProxyState | null, isRecording: boolean): string {
  if (proxy === null) return "Weir";
  if (!proxy.running) return "Weir (proxy stopped)";
  return `Weir on ${hostPort(proxy.address, proxy.port)}${isRecording ? "" : " (recording paused)"}`;
}
