import type { ProxyState } from "../../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../../src/engine/model/host-port.ts";
import type { PageSocket } from "../channel/loopback.ts";
import { NeutralinoChannel } from "../channel/neutralino.ts";
import type { NeutralinoConnection } from "../threads.ts";
import { mainMenu } from "./main-menu.ts";

interface MainWindowOptions {
  readonly onPage: (page: PageSocket) => void;
  readonly onGone: () => void;
  /** An entry of the menu was chosen, by its id. */
  readonly onMenu: (id: string) => void;
}

/** The native main window as the engine sees it: the page in it, its title, its menu, its place in front. */
export class MainWindow {
  readonly #channel: NeutralinoChannel;
  #title = "Weir";
  /** Neutralino crashes when the title of a window is set that is not there yet; one whose page has said hello is. */
  #isThere = false;

  constructor(connection: NeutralinoConnection, options: MainWindowOptions) {
    this.#channel = new NeutralinoChannel(connection, {
      ...options,
      onPage: (page) => {
        this.#isThere = true;
        this.#channel.call("window.setMainMenu", mainMenu(process.platform));
        this.#showTitle();
        options.onPage(page);
      },
    });
  }

  /** The title says where the proxy listens. */
  set proxy({ running, address, port }: ProxyState) {
    this.#title = running ? `Weir on ${hostPort(address, port)}` : "Weir (proxy stopped)";
    this.#showTitle();
  }

  /** Brings it to the front. */
  show(): void {
    for (const method of ["window.unminimize", "window.show", "window.focus"]) this.#channel.call(method, {});
    if (process.platform !== "linux") return;
    // Window managers let nobody take the focus, and only mark the window; for a moment above all others, it stays on top.
    for (const onTop of [true, false]) this.#channel.call("window.setAlwaysOnTop", { onTop });
  }

  close(): void {
    this.#channel.close();
  }

  #showTitle(): void {
    if (this.#isThere) this.#channel.call("window.setTitle", { title: this.#title });
  }
}
