import { visibleText } from "../src/engine/interchange/table.ts";
import type { Milliseconds } from "../src/engine/model/units.ts";

/** How long a command is silent at first, and between two texts. */
const SILENT: Milliseconds = 1_000;
const EVERY: Milliseconds = 250;

/** Returns to the line's start, and erases the line (ECMA-48, EL). */
const ERASE = "\r\u001b[K";

/** Where progress is shown: standard error, if it is a terminal. */
type Screen = Pick<NodeJS.WriteStream, "write"> & { readonly isTTY?: boolean; readonly columns?: number };

/** Shows in one line of a terminal how far long work is. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => Milliseconds;
  #next: Milliseconds;
  #isShown = false;

  constructor(screen: Screen = process.stderr, now: () => Milliseconds = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    this.#next = now() + SILENT;
  }

  /** `share`: 0 to 1, within the step. */
  show(step: string, share: number): void {
    if (this.#screen.isTTY !== true || this.#now() < this.#next) return;
    this.#next = this.#now() + EVERY;
    this.#isShown = true;
    const text = `${visibleText(step)}, ${Math.floor(share * 100)} %`;
    this.#screen.write(`${ERASE}${text.slice(0, (this.#screen.columns ?? 80) - 1)}`);
  }

  /** Erases the line. Call it before other text. */
  end(): void {
    if (this.#isShown) this.#screen.write(ERASE);
    this.#isShown = false;
  }
}
