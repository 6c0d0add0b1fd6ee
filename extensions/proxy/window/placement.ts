import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { NeutralinoChannel } from "./neutralino.ts";

/** Where the native window is, in the system's pixels. `isMaximized`: then the rest is where it was before. */
export interface WindowBounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isMaximized: boolean;
}

/** Between two looks at where the window is: no event tells that it was moved. */
const LOOK: Milliseconds = 5_000;

/** Ms after which a window that was maximized has its new size. */
const RESIZED_WITHIN: Milliseconds = 500;

/**
 * Keeps the native window's position, size and whether it is maximized. Neutralino itself restores only the size of a
 * window that is shown late, and saves nothing when `app.killProcess` ends it.
 */
export class Placement {
  readonly #channel: Pick<NeutralinoChannel, "call" | "ask">;
  readonly #write: (bounds: WindowBounds) => void;
  #bounds: WindowBounds | null;
  #look: NodeJS.Timeout | undefined;
  /** The size of the maximized window, as JSON; `null` if it is not maximized. */
  #full: string | null = null;

  /** `bounds`: where the window was last; `write`: stores where it is. */
  constructor(
    channel: Pick<NeutralinoChannel, "call" | "ask">,
    bounds: WindowBounds | null,
    write: (bounds: WindowBounds) => void,
  ) {
    this.#channel = channel;
    this.#bounds = bounds;
    this.#write = write;
  }

  /** Shows the window where it was, and follows it from then on. */
  restore(): void {
    const bounds = this.#bounds;
    if (bounds !== null) this.#channel.call("window.setSize", { width: bounds.width, height: bounds.height });
    this.#channel.call("window.show", {});
    // Window managers place a window when it is shown.
    if (bounds !== null) this.#channel.call("window.move", { x: bounds.x, y: bounds.y });
    if (bounds?.isMaximized === true) this.#channel.call("window.maximize", {});
    this.#look = setInterval(() => void this.look(), LOOK);
    this.#look.unref();
  }

  /** Called when the window was maximized. No event tells when it no longer is, and Neutralino on Linux never knows. */
  maximized(): void {
    setTimeout(() => void this.look(true), RESIZED_WITHIN).unref();
  }

  /** Stores where the window is, if it has changed. `hasGrown`: its size now is that of the maximized window. */
  async look(hasGrown = false): Promise<void> {
    const methods = ["window.getPosition", "window.getSize", "window.isMaximized"];
    const [position, size, answer] = await Promise.all(methods.map((method) => this.#channel.ask(method)));
    if (hasGrown) this.#full = JSON.stringify(size);
    const isMaximized = answer === true || this.#full === JSON.stringify(size);
    if (!isMaximized) this.#full = null;
    // A maximized window goes back to where it was.
    const now = isMaximized ? {} : { ...objectOf(position), ...objectOf(size) };
    const bounds = boundsOf({ ...this.#bounds, ...now }, isMaximized);
    if (bounds === null || JSON.stringify(bounds) === JSON.stringify(this.#bounds)) return;
    this.#bounds = bounds;
    this.#write(bounds);
  }

  stopWatching(): void {
    clearInterval(this.#look);
  }
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function boundsOf(value: object, isMaximized: boolean): WindowBounds | null {
  const { x, y, width, height } = value as Readonly<Record<string, unknown>>;
  if (![x, y, width, height].every(Number.isInteger)) return null;
  return { x, y, width, height, isMaximized } as WindowBounds;
}
