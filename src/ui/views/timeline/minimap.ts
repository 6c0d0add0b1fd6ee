import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../engine/model/units.ts";
import { startDrag } from "../../parts/drag.ts";
import type { SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";
import { momentAt } from "./bars.ts";
import { axisOf, brushOn, EMPTY_MINIMAP, type MinimapFrame, minimapFrameOf } from "./minimap-frame.ts";
import { gripAt } from "./overview.ts";
import { bothOf, fitted, latestOf, lengthOf, moved, overlaps, resized, spanned, zoomed } from "./visible-range.ts";

/** Width of a bar of the minimap and its gap, in px. */
const SLOT = 7;
/** The most slices requested (insight-decode.ts permits 2,000). */
const MOST_SLICES = 400;
/** A press that moves fewer pixels than this is a click. */
const CLICK = 3;
/** How far a key moves an edge, as a share of the brush. */
const EDGE_STEP = 0.05;
/** Least margin before and after an exchange when the visible range moves to it, in ms. */
const LEAST_REVEALED = 500;

interface MinimapOptions {
  readonly windows: SubscriptionStore;
  readonly box: HTMLElement;
  readonly filter: string;
  /** The initial range; `null`: the latest part of the session. */
  readonly range: TimeRange | null;
  /** Called when the visible range changes. `settled`: false during a drag, and for `zoom` and `move`. */
  changed(range: TimeRange, settled: boolean): void;
  /** Draws the minimap again. */
  redraw(): void;
}

/** The minimap of the whole session, and the range that its brush selects. */
export class Minimap {
  readonly #options: MinimapOptions;
  readonly #density: ValueSubscription<"density">;
  readonly #observer: ResizeObserver;
  #filter: string;
  #range: TimeRange | null;
  #revealed: ValueSubscription<"exchange"> | null = null;
  /** What was last reported about the session: its start, and whether it has ended. */
  #session: { readonly begin: Instant | null; readonly ended: boolean } | null = null;

  constructor(options: MinimapOptions) {
    this.#options = options;
    this.#filter = options.filter;
    this.#range = options.range;
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
    this.#revealed?.close();
  }

  /** The visible range, which is never empty. If there is no session, a second from the epoch on. */
  get range(): TimeRange {
    return this.#range ?? NOWHEN;
  }

  /** From the first start to the last end in the session; `null` if nothing was captured. */
  get sessionRange(): TimeRange | null {
    return this.#density.value?.whole ?? null;
  }

  /** From the first start to the last end of the matching exchanges; `null` if none matches. */
  get matchingRange(): TimeRange | null {
    return this.#density.value?.matching ?? null;
  }

  /** The number of matching exchanges in the whole session; `null` until known. */
  get matched(): number | null {
    return this.#density.value?.matched ?? null;
  }

  /** What the minimap shows. `matched`: number of rows in the range. */
  frame(matched: number): MinimapFrame {
    const density = this.#density.value;
    if (density === undefined || density.whole === null || this.#range === null) return EMPTY_MINIMAP;
    return minimapFrameOf(density, this.#range, this.#width, matched);
  }

  redraw(): void {
    this.#options.redraw();
  }

  filter(filter: string): void {
    this.#filter = filter;
    this.#density.update(this.#query());
  }

  /** Sets the visible range. */
  show(range: TimeRange): void {
    this.#set(range, true);
  }

  /** Scales the visible range by `factor`. `share`: the point that does not move, as a share of the width. */
  zoom(factor: number, share: number): void {
    if (this.#range === null) return;
    const at = this.#range.from + share * lengthOf(this.#range);
    this.#set(zoomed(this.#range, factor, at, this.#bounds()), false);
  }

  /** Moves by a share of the visible range. */
  move(share: number): void {
    if (this.#range === null) return;
    this.#set(moved(this.#range, share * lengthOf(this.#range), this.#bounds()), false);
  }

  /**
   * Passes the exchange's start to `found`. For an exchange outside the visible range, first moves the range to the
   * exchange if `isBrought` is true, else does nothing.
   */
  seek(exchange: ExchangeId, isBrought: boolean, found: (start: Instant) => void): void {
    this.#revealed?.close();
    this.#revealed = this.#options.windows.value({ view: "exchange", exchange }, () => {
      const revealed = this.#revealed?.value?.exchange ?? null;
      this.#revealed?.close();
      this.#revealed = null;
      if (revealed === null) return;
      const { startTime } = revealed.instants;
      const end = Math.max(revealed.endTime ?? startTime, startTime);
      const room = Math.max(LEAST_REVEALED, end - startTime);
      const isThere = this.#range !== null && overlaps(this.#range, spanned(startTime, end));
      if (!isThere && !isBrought) return;
      if (!isThere) this.#set(spanned(startTime - room, end + room), true);
      found(startTime);
    });
  }

  /**
   * Handles a press on the minimap. At an edge, a drag moves the edge; inside the brush with Shift, it moves the brush.
   * Any other drag draws a new brush. A click centres the brush at the pointer.
   */
  press(event: PointerEvent): void {
    const whole = this.sessionRange;
    const before = this.#range;
    if (whole === null || before === null) return;
    const scale = { range: axisOf(whole), width: this.#width };
    const pressed = event.clientX - this.#options.box.getBoundingClientRect().left;
    const near = gripAt(pressed, brushOn(before, whole, this.#width));
    const grip = near === "move" && !event.shiftKey ? "new" : near;
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
        if (far) this.#set(this.range, true);
        else if (grip === "new") this.#set(moved(before, at - (before.from + before.to) / 2, bounds), true);
      },
    );
  }

  /** Handles a press on the ruler, whose `width` px show the visible range: the dragged range becomes visible. */
  pressRuler(
    event: PointerEvent,
    width: number,
    drawn: (dragged: { left: number; width: number } | null) => void,
  ): void {
    const { range } = this;
    const pressed = event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left;
    let to = pressed;
    event.preventDefault();
    startDrag(
      event,
      (x) => {
        to = Math.min(Math.max(x, 0), width);
        drawn({ left: Math.min(pressed, to), width: Math.abs(to - pressed) });
      },
      () => {
        drawn(null);
        if (Math.abs(to - pressed) < CLICK) return;
        this.#set(spanned(momentAt(pressed, { range, width }), momentAt(to, { range, width })), true);
      },
    );
  }

  /** Moves an edge by arrow keys; for @keydown on the edge. */
  moveEdge(event: KeyboardEvent, edge: "from" | "to"): void {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
    if (step === undefined || this.#range === null) return;
    event.preventDefault();
    const at = this.#range[edge] + step * EDGE_STEP * lengthOf(this.#range);
    this.#set(resized(this.#range, edge, at, this.#bounds()), true);
  }

  #arrived(): void {
    const whole = this.sessionRange;
    const now = { begin: whole?.from ?? null, ended: this.#density.value?.ended === true };
    const before = this.#session;
    this.#session = now;
    const isOther = before?.begin !== now.begin || before.ended !== now.ended;
    // When another session is shown, its initial range is set if that session has ended, or does not overlap the
    // visible range. Within a session, the visible range stays, even without exchanges in it.
    const isOpened = before !== null && isOther && now.ended;
    const isForeign = this.#range !== null && whole !== null && isOther && (isOpened || !overlaps(this.#range, whole));
    if (whole !== null && (this.#range === null || isForeign)) this.#set(this.#firstRange(whole), true);
    else this.#options.redraw();
  }

  /**
   * The initial range. A session that has ended is shown whole, because users open it to see all of it. Of the current
   * session, the latest part is shown.
   */
  #firstRange(whole: TimeRange): TimeRange {
    return this.#density.value?.ended === true ? fitted(this.matchingRange ?? whole) : latestOf(whole);
  }

  #set(range: TimeRange, settled: boolean): void {
    this.#range = range;
    this.#options.changed(range, settled);
  }

  #bounds(): TimeRange {
    const whole = this.sessionRange;
    return whole === null ? this.range : bothOf(axisOf(whole), this.range);
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
