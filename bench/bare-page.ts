import type { Browser, CDPSession } from "playwright-core";

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly args: readonly { readonly value?: unknown }[] };
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string };
  };
  readonly error?: { readonly message: string };
}

/**
 * A page with as little instrumentation as possible, in a context unknown to Playwright, controlled by the DevTools
 * protocol. Playwright's own pages run scripts and copy every socket message to the test; on two cores, that would
 * distort a measurement.
 */
export class BarePage {
  readonly #browser: CDPSession;
  readonly #context: string;
  readonly #session: string;
  readonly #answers = new Map<number, (reply: Reply) => void>();
  #told: (text: string) => void = () => {};
  #last = 0;

  private constructor(browser: CDPSession, context: string, session: string) {
    this.#browser = browser;
    this.#context = context;
    this.#session = session;
    browser.on("Target.receivedMessageFromTarget", this.#hear);
  }

  /** A blank page of `size` px in a new context, without caches of earlier pages. */
  static async open(browser: Browser, size = { width: 1280, height: 800 }): Promise<BarePage> {
    const session = await browser.newBrowserCDPSession();
    const { browserContextId } = await session.send("Target.createBrowserContext");
    const { targetId } = await session.send("Target.createTarget", { url: "about:blank", browserContextId, ...size });
    // Without `flatten`, the page's messages come through this session, and Playwright ignores them.
    const { sessionId } = await session.send("Target.attachToTarget", { targetId });
    const page = new BarePage(session, browserContextId, sessionId);
    await page.#send("Page.enable");
    await page.#send("Runtime.enable");
    return page;
  }

  /** Runs the script in each document before the document's own scripts. */
  async addScript(script: () => void): Promise<void> {
    await this.#send("Page.addScriptToEvaluateOnNewDocument", { source: `(${script})()` });
  }

  /** Navigates to `url`. Resolves with the rest of the first console message that starts with `beginning`. */
  async goto(url: string, beginning: string): Promise<string> {
    const told = new Promise<string>((resolve) => {
      this.#told = (text) => {
        if (text.startsWith(beginning)) resolve(text.slice(beginning.length));
      };
    });
    await this.#send("Page.navigate", { url });
    return told;
  }

  /** Runs a function in the page and returns its result. Throws if the function throws. */
  async evaluate<Value>(run: () => Value | Promise<Value>): Promise<Value> {
    const { result } = await this.#send("Runtime.evaluate", {
      expression: `(${run})()`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (result?.exceptionDetails !== undefined) throw new Error(`in the page: ${result.exceptionDetails.text}`);
    return result?.result?.value as Value;
  }

  /** Types one letter into the focused element. */
  async type(letter: string): Promise<void> {
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", key: letter, text: letter, unmodifiedText: letter });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", key: letter });
  }

  async wheel(x: number, y: number, deltaY: number): Promise<void> {
    await this.#send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY });
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.disposeBrowserContext", { browserContextId: this.#context });
    await this.#browser.detach();
  }

  async #send(method: string, params: object = {}): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Reply>((resolve) => this.#answers.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await this.#browser.send("Target.sendMessageToTarget", { sessionId: this.#session, message });
    const reply = await answered;
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
    return reply;
  }

  readonly #hear = ({ sessionId, message }: { readonly sessionId: string; readonly message: string }): void => {
    if (sessionId !== this.#session) return;
    const reply = JSON.parse(message) as Reply;
    if (reply.id !== undefined) {
      this.#answers.get(reply.id)?.(reply);
      this.#answers.delete(reply.id);
    } else if (reply.method === "Runtime.consoleAPICalled") this.#told(String(reply.params?.args[0]?.value));
  };
}
