import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { startDrag } from "../../parts/drag.ts";
import type { ValueSubscription, Windows } from "../../state/windows.ts";
import { momentAt } from "./bars.ts";
import { gripAt } from "./overview.ts";
import { bothOf, latestOf, lengthOf, moved, overlaps, resized, spanned, zoomed } from "./stretch.ts";
import { axisOf, brushOn, EMPTY_STRIP, type StripFrame, stripFrameOf } from "./strip-frame.ts";

/** A bar of the strip and the gap after it, px. */
const SLOT = 7;
/** Slices asked for at most (insight-decode.ts allows 2,000). */
const MOST_SLICES = 400;
/** A press that moves less than this is a click, px. */
const CLICK = 3;
/** A key moves an edge by so much of the brush. */
const EDGE_STEP = 0.05;
/** An exchange that is sought stands in the middle of at least so many ms. */
const SOUGHT_LEAST = 500;

interface StripOptions {
  readonly windows: Windows;
  readonly box: HTMLElement;
  readonly filter: string;
  /** What to show at first; `null` = the latest. */
  readonly stretch: TimeRange | null;
  /** The stretch in sight is another; `settled`: by one step, not by a drag or a turn of the wheel. */
  changed(stretch: TimeRange, settled: boolean): void;
  /** The strip itself has something new to show. */
  redraw(): void;
}

/** The strip over the whole session, and the stretch of it that its brush has taken. */
export class Strip {
  readonly #options: StripOptions;
  readonly #density: ValueSubscription<"density">;
  readonly #observer: ResizeObserver;
  #filter: string;
  #stretch: TimeRange | null;
  #sought: ValueSubscription<"exchange"> | null = null;
  /** When the session began that was told last; `null`: none was. */
  #begin: Instant | null = null;

  constructor(options: StripOptions) {
    this.#options = options;
    this.#filter = options.filter;
    this.#stretch = options.stretch;
    this.#density = options.windows.value(this.#query(), () => this.#arrived());
    this.#observer = new ResizeObserver(() => {
      this.#density.update(this.#query());
      options.redraw();
    });
    this.#observer.observe(options.box);
  }

  close(): void {
    this.#observer.disconnect();
    this.#density.close();
    this.#sought?.close();
  }

  /** Never empty; without any session a second of long ago. */
  get stretch(): TimeRange {
    return this.#stretch ?? NOWHEN;
  }

  /** From the first start to the last end of the session; `null` while nothing was captured. */
  get whole(): TimeRange | null {
    return this.#density.value?.whole ?? null;
  }

  /** Exchanges of the whole session that match; `null` before that is known. */
  get matched(): number | null {
    return this.#density.value?.matched ?? null;
  }

  /** `matched`: rows in the stretch. */
  frame(matched: number): StripFrame {
    const density = this.#density.value;
    if (density === undefined || density.whole === null || this.#stretch === null) return EMPTY_STRIP;
    return stripFrameOf(density, this.#stretch, this.#width, matched);
  }

  redraw(): void {
    this.#options.redraw();
  }

  filter(filter: string): void {
    this.#filter = filter;
    this.#density.update(this.#query());
  }

  /** Shows a stretch. */
  show(stretch: TimeRange): void {
    this.#set(stretch, true);
  }

  /** `share`: of the width, what keeps its place. */
  zoom(factor: number, share: number): void {
    if (this.#stretch === null) return;
    const at = this.#stretch.from + share * lengthOf(this.#stretch);
    this.#set(zoomed(this.#stretch, factor, at, this.#bounds()), false);
  }

  /** By a share of what is in sight. */
  move(share: number): void {
    if (this.#stretch === null) return;
    this.#set(moved(this.#stretch, share * lengthOf(this.#stretch), this.#bounds()), false);
  }

  /** Tells when an exchange started that ran in what is in sight, or is brought there. */
  seek(exchange: ExchangeId, isBrought: boolean, found: (start: Instant) => void): void {
    this.#sought?.close();
    this.#sought = this.#options.windows.value({ view: "exchange", exchange }, () => {
      const sought = this.#sought?.value?.exchange ?? null;
      this.#sought?.close();
      this.#sought = null;
      if (sought === null) return;
      const { startTime } = sought.instants;
      const end = Math.max(sought.endTime ?? startTime, startTime);
      const room = Math.max(SOUGHT_LEAST, end - startTime);
      const isThere = this.#stretch !== null && overlaps(this.#stretch, spanned(startTime, end));
      if (!isThere && !isBrought) return;
      if (!isThere) this.#set(spanned(startTime - room, end + room), true);
      found(startTime);
    });
  }

  /** A press on the strip: an edge, the brush, or a new one; a click beside the brush centres it there. */
  press(event: PointerEvent): void {
    const whole = this.whole;
    const before = this.#stretch;
    if (whole === null || before === null) return;
    const scale = { stretch: axisOf(whole), width: this.#width };
    const pressed = event.clientX - this.#options.box.getBoundingClientRect().left;
    const grip = gripAt(pressed, brushOn(before, whole, this.#width));
    const at = momentAt(pressed, scale);
    const bounds = this.#bounds();
    let far = false;
    event.preventDefault();
    startDrag(
      event,
      (x) => {
        far ||= Math.abs(x - pressed) >= CLICK;
        if (!far) return;
        const moment = momentAt(Math.min(Math.max(x, 0), this.#width), scale);
        if (grip === "new") this.#set(spanned(at, moment), false);
        else if (grip === "move") this.#set(moved(before, moment - at, bounds), false);
        else this.#set(resized(before, grip, moment, bounds), false);
      },
      () => {
        if (far) this.#set(this.stretch, true);
        else if (grip === "new") this.#set(moved(before, at - (before.from + before.to) / 2, bounds), true);
      },
    );
  }

  /** Arrows move an edge, for @keydown on it. */
  moveEdge(event: KeyboardEvent, edge: "from" | "to"): void {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
    if (step === undefined || this.#stretch === null) return;
    event.preventDefault();
    const at = this.#stretch[edge] + step * EDGE_STEP * lengthOf(this.#stretch);
    this.#set(resized(this.#stretch, edge, at, this.#bounds()), true);
  }

  #arrived(): void {
    const whole = this.whole;
    const begin = whole?.from ?? null;
    const isOther = begin !== this.#begin;
    this.#begin = begin;
    // Another session, or none yet: what was in sight says nothing about it. Of the same it may be where nothing ran.
    const isNowhere = this.#stretch === null || (isOther && whole !== null && !overlaps(this.#stretch, whole));
    if (whole !== null && isNowhere) this.#set(latestOf(whole), true);
    else this.#options.redraw();
  }

  #set(stretch: TimeRange, settled: boolean): void {
    this.#stretch = stretch;
    this.#options.changed(stretch, settled);
  }

  #bounds(): TimeRange {
    const whole = this.whole;
    return whole === null ? this.stretch : bothOf(axisOf(whole), this.stretch);
  }

  get #width(): number {
    return this.#options.box.clientWidth;
  }

  #query() {
    const slices = Math.min(MOST_SLICES, Math.max(1, Math.floor(this.#width / SLOT)));
    return { view: "density", filter: this.#filter, between: null, slices } as const;
  }
}

const NOWHEN = spanned(0, 1_000);
