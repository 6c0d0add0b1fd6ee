import { freePort } from "../data-thread/network/sockets/free-port.ts";
import { startWindow } from "../process/child-process.ts";

/** How Neutralino is started on this machine: its program, and the arguments that name our app's folder. */
export interface NativeShell {
  readonly program: string;
  readonly words: readonly string[];
}

interface HubWindowOptions {
  readonly shell: NativeShell;
  readonly ticket: string;
  /** Called if the program could not be started, with the reason in words. */
  readonly onProblem: (problem: string) => void;
}

const LOOPBACK = "127.0.0.1";

/**
 * The Setup Hub in a window of its own: a second process of the same program, without extensions. Its page connects to
 * our loopback server; port and ticket are passed in the environment, because other users could read arguments.
 */
export class HubWindow {
  readonly #options: HubWindowOptions;
  #process: ReturnType<typeof startWindow> | null = null;

  constructor(options: HubWindowOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#process !== null;
  }

  /**
   * Opens the window at a target (a slug; `null`: the first). `onOrigin`: called with the page's origin before the page
   * can connect.
   */
  async open(uiPort: number, target: string | null, onOrigin: (origin: string) => void): Promise<void> {
    const port = await freePort(LOOPBACK, 0);
    if (port === null || this.#process !== null) return;
    onOrigin(`http://${LOOPBACK}:${port}`);
    const { shell, ticket, onProblem } = this.#options;
    const wish = target === null ? "" : `#${new URLSearchParams({ target })}`;
    const words = [
      ...shell.words,
      `--port=${port}`,
      `--url=/hub.html${wish}`,
      "--enable-extensions=false",
      "--export-auth-info=false",
      "--window-title=Weir Setup Hub",
      "--window-width=1100",
      "--window-height=760",
      "--window-use-saved-state=false",
    ];
    const child = startWindow(shell.program, words, { WEIR_UI_PORT: String(uiPort), WEIR_TICKET: ticket });
    this.#process = child;
    const gone = () => {
      this.#process = null;
    };
    child.once("exit", gone);
    child.once("error", (error) => {
      gone();
      onProblem(`The Setup Hub's window could not be opened: ${error.message}.`);
    });
  }

  close(): void {
    this.#process?.kill("SIGTERM");
  }
}
