import type { Range } from "../../../src/engine/messages/list-messages.ts";
import type { ListFrame } from "../../../src/ui/parts/list/list-frame.ts";
import type { ListAnswer } from "../../../src/ui/parts/list/list-options.ts";
import type { SelectedRows } from "../../../src/ui/parts/list/selected-rows.ts";
import { VirtualList } from "../../../src/ui/parts/list/virtual-list.ts";

/** Height of a row, px. */
export const ROW = 20;

/** Height of a list's head, px. */
const HEAD = 28;

/** The part of an element that the list uses: it scrolls as far as its head and its space are tall. */
export class Box {
  readonly style: Record<string, string> = {};
  readonly listeners = new Map<string, (event: unknown) => void>();
  readonly children: readonly never[] = [];
  clientHeight = 200 + HEAD;
  space: Box | null = null;
  #top = 0;

  get scrollTop(): number {
    return this.#top;
  }

  set scrollTop(top: number) {
    const tallest = Number.parseFloat(this.space?.style["height"] ?? "0");
    this.#top = Math.min(Math.max(0, top), Math.max(0, tallest + HEAD - this.clientHeight));
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }
}

/**
 * Replaces the browser's observer of sizes by one that observes nothing; returns a function that restores it. `made`:
 * gets the callback of each observer.
 */
export function withoutResizes(made: (resized: () => void) => void = () => {}): () => void {
  const before = Reflect.get(globalThis, "ResizeObserver");
  Reflect.set(
    globalThis,
    "ResizeObserver",
    class {
      constructor(resized: () => void) {
        made(resized);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  return () => void Reflect.set(globalThis, "ResizeObserver", before);
}

/** A list over rows 0, 1, 2 … whose key is their value; all are loaded. */
export function stage(follows = false, answer: () => ListAnswer = () => "come") {
  let resized = () => {};
  const restore = withoutResizes((callback) => {
    resized = callback;
  });
  const scroller = new Box();
  const space = new Box();
  scroller.space = space;
  let rows: readonly number[] = [];
  const calls = {
    wanted: [] as Range[],
    moved: [] as number[],
    opened: [] as number[],
    seeing: [] as Range[],
    selected: [] as SelectedRows,
    missed: 0,
    /** The pending callbacks for rows whose index was requested. */
    requested: [] as ((index: number | null) => void)[],
    frames: 0,
  };
  const seen: { frame: ListFrame<string> | null } = { frame: null };
  const list = new VirtualList<string>({
    name: "row",
    rowHeight: ROW,
    requested: { from: 0, count: 0 },
    follows: () => follows,
    seeing: (from, count) => calls.seeing.push({ from, count }),
    rowAt: (index) => (rows[index] === undefined ? null : String(rows[index])),
    keyAt: (index) => rows[index] ?? null,
    indexOf: (key) => {
      const at = rows.indexOf(Number(key));
      return at < 0 ? null : at;
    },
    positionOf: (_, tell) => calls.requested.push(tell),
    wanted: (range) => calls.wanted.push(range),
    answer,
    missed: (count) => {
      calls.missed = count;
    },
    draw: (frame) => {
      seen.frame = frame;
      calls.frames += 1;
    },
    moved: (key) => void calls.moved.push(Number(key)),
    selectionChanged: (selected) => {
      calls.selected = selected;
    },
    opened: (key) => void calls.opened.push(Number(key)),
  });
  const element = (box: Box): HTMLElement => box as unknown as HTMLElement;
  list.attach({ list: element(scroller), space: element(space), window: element(new Box()) });
  restore();
  return {
    list,
    calls,
    scroller,
    space,
    /** Shows `count` rows, of which those are loaded. */
    show(next: readonly number[], count = next.length) {
      rows = next;
      list.update(count);
    },
    /** Gives the visible rows another height. As in a browser, its bar stays where there is room. */
    resize(height: number) {
      scroller.clientHeight = height + HEAD;
      scroller.scrollTop += 0;
      resized();
    },
    scroll(top: number) {
      scroller.scrollTop = top;
      scroller.listeners.get("scroll")?.({});
    },
    key(key: string, held: { readonly shiftKey?: boolean; readonly ctrlKey?: boolean } = {}) {
      const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
      const event = { key, target: scroller, ...none, ...held, preventDefault() {}, stopPropagation() {} };
      list.onKey(event as unknown as KeyboardEvent);
    },
    texts: () => seen.frame?.slots.map(({ row }) => row) ?? [],
    /** The visible rows that are selected. */
    selected: () =>
      calls.selected.length === 0
        ? []
        : (seen.frame?.slots.flatMap(({ selected, index }) => (selected ? [index] : [])) ?? []),
    click: (index: number, held: { readonly shiftKey?: boolean; readonly ctrlKey?: boolean } = {}) =>
      list.click(index, { shiftKey: false, ctrlKey: false, metaKey: false, ...held }),
    active: () => seen.frame?.slots.find(({ active }) => active) ?? null,
    frame: () => seen.frame,
  };
}

export function upTo(count: number, from = 0): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + from);
}
