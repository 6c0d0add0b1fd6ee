import type { Milliseconds } from "../../../src/engine/model/units.ts";
import type { NeutralinoChannel } from "./neutralino.ts";

/** Where the native window is, in the system's pixels. `isMaximized`: then the rest is where it was before. */
export interface WindowPlace {
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
  readonly #write: (place: WindowPlace) => void;
  #place: WindowPlace | null;
  #look: NodeJS.Timeout | undefined;
  /** Whether the window was maximized since the last look. */
  #hasGrown = false;
  /** The size of the maximized window, as JSON; `null` if it is not maximized. */
  #full: string | null = null;

  /** `place`: where the window was last; `write`: stores where it is. */
  constructor(
    channel: Pick<NeutralinoChannel, "call" | "ask">,
    place: WindowPlace | null,
    write: (place: WindowPlace) => void,
  ) {
    this.#channel = channel;
    this.#place = place;
    this.#write = write;
  }

  /** Shows the window where it was, and follows it from then on. */
  restore(): void {
    const place = this.#place;
    if (place !== null) this.#channel.call("window.setSize", { width: place.width, height: place.height });
    this.#channel.call("window.show", {});
    // Window managers place a window when it is shown.
    if (place !== null) this.#channel.call("window.move", { x: place.x, y: place.y });
    if (place?.isMaximized === true) this.#channel.call("window.maximize", {});
    this.#look = setInterval(() => void this.look(), LOOK);
    this.#look.unref();
  }

  /** Called when the window was maximized. No event tells when it no longer is, and Neutralino on Linux never knows. */
  maximized(): void {
    setTimeout(() => {
      this.grown();
      void this.look();
    }, RESIZED_WITHIN).unref();
  }

  /** Takes the size at the next look for that of the maximized window. */
  grown(): void {
    this.#hasGrown = true;
  }

  /** Stores where the window is, if it has changed. */
  async look(): Promise<void> {
    const asked = ["window.getPosition", "window.getSize", "window.isMaximized"];
    const [position, size, answer] = await Promise.all(asked.map((method) => this.#channel.ask(method)));
    if (this.#hasGrown) this.#full = JSON.stringify(size);
    this.#hasGrown = false;
    const isMaximized = answer === true || this.#full === JSON.stringify(size);
    if (!isMaximized) this.#full = null;
    // A maximized window goes back to where it was.
    const now = isMaximized ? {} : { ...objectOf(position), ...objectOf(size) };
    const place = placeOf({ ...this.#place, ...now }, isMaximized);
    if (place === null || JSON.stringify(place) === JSON.stringify(this.#place)) return;
    this.#place = place;
    this.#write(place);
  }

  stopWatching(): void {
    clearInterval(this.#look);
  }
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function placeOf(value: object, isMaximized: boolean): WindowPlace | null {
  const { x, y, width, height } = value as Readonly<Record<string, unknown>>;
  if (![x, y, width, height].every(Number.isInteger)) return null;
  return { x, y, width, height, isMaximized } as WindowPlace;
}
