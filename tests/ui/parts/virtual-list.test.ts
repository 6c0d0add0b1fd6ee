import * as assert from "uvu/assert";
import type { Range } from "../../../src/engine/messages/messages.ts";
import { type ListFrame, VirtualList } from "../../../src/ui/parts/virtual-list.ts";
import { describe } from "../../support/describe.ts";

const ROW = 20;

/** As much of an element as the list uses: one that scrolls as far as its space is tall. */
class Box {
  readonly style: Record<string, string> = {};
  readonly listeners = new Map<string, (event: unknown) => void>();
  readonly children: readonly never[] = [];
  clientHeight = 200;
  space: Box | null = null;
  #top = 0;

  get scrollTop(): number {
    return this.#top;
  }

  set scrollTop(top: number) {
    const tallest = Number.parseFloat(this.space?.style["height"] ?? "0");
    this.#top = Math.min(Math.max(0, top), Math.max(0, tallest - this.clientHeight));
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }
}

/** A list over rows 0, 1, 2 … whose key is their value; all are held. */
function stage(follows = false) {
  const before = Reflect.get(globalThis, "ResizeObserver");
  Reflect.set(
    globalThis,
    "ResizeObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  const scroller = new Box();
  const space = new Box();
  scroller.space = space;
  let rows: readonly number[] = [];
  const told = { wanted: [] as Range[], moved: [] as number[], opened: [] as number[], frames: 0 };
  const seen: { frame: ListFrame<string> | null } = { frame: null };
  const list = new VirtualList<string>({
    name: "row",
    rowHeight: ROW,
    headHeight: 0,
    follows: () => follows,
    rowAt: (index) => (rows[index] === undefined ? null : String(rows[index])),
    keyAt: (index) => rows[index] ?? null,
    indexOf: (key) => {
      const at = rows.indexOf(Number(key));
      return at < 0 ? null : at;
    },
    wanted: (range) => told.wanted.push(range),
    draw: (frame) => {
      seen.frame = frame;
      told.frames += 1;
    },
    moved: (_, key) => told.moved.push(Number(key)),
    opened: (_, key) => told.opened.push(Number(key)),
  });
  const element = (box: Box): HTMLElement => box as unknown as HTMLElement;
  list.attach(element(scroller), element(space), element(new Box()));
  Reflect.set(globalThis, "ResizeObserver", before);
  return {
    list,
    told,
    scroller,
    space,
    show(next: readonly number[]) {
      rows = next;
      list.update(next.length);
    },
    scroll(top: number) {
      scroller.scrollTop = top;
      scroller.listeners.get("scroll")?.({});
    },
    key(key: string) {
      const event = { key, target: scroller, ctrlKey: false, metaKey: false, altKey: false, preventDefault() {} };
      list.onKey(event as unknown as KeyboardEvent);
    },
    texts: () => seen.frame?.slots.map(({ row }) => row) ?? [],
    active: () => seen.frame?.slots.find(({ active }) => active) ?? null,
    frame: () => seen.frame,
  };
}

function upTo(count: number, from = 0): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + from);
}

describe("a virtual list", (test) => {
  test("only the rows in sight are mounted, whatever the length", () => {
    const { show, texts, frame } = stage();
    show(upTo(10_000));
    assert.is(texts().length, 11);
    assert.is(frame()?.rowCount, 10_001);
    assert.is(frame()?.slots[0]?.rowIndex, 2);
  });

  test("scrolling by less than a row draws nothing; by a row it draws anew", () => {
    const { show, scroll, texts, told } = stage();
    show(upTo(1_000));
    const before = told.frames;
    scroll(7);
    assert.is(told.frames, before);
    scroll(3 * ROW);
    assert.is(told.frames, before + 1);
    assert.is(texts()[0], "3");
  });

  test("moving by a few rows leaves those in sight the same objects, in slots of their own", () => {
    const { show, scroll, frame } = stage();
    show(upTo(1_000));
    for (const top of [3, 5, 4, 400, 398]) {
      const before = frame()?.slots ?? [];
      scroll(top * ROW);
      const now = frame()?.slots ?? [];
      for (const slot of now) {
        const same = before.find(({ index }) => index === slot.index);
        if (same !== undefined) assert.is(slot, same);
      }
      assert.is(new Set(now.map(({ key }) => key)).size, 11);
      assert.equal(
        now.map(({ index }) => index),
        upTo(11, top),
      );
    }
  });

  test("a change of one row leaves the other slots the same objects", () => {
    const { show, frame } = stage();
    show(upTo(50));
    const before = frame()?.slots ?? [];
    show([0, 1, 999, ...upTo(47, 3)]);
    const now = frame()?.slots ?? [];
    assert.is(now[1], before[1]);
    assert.is.not(now[2], before[2]);
  });

  test("it asks for what is in sight and a margin, and again only near the margin's edge", () => {
    const { show, scroll, told } = stage();
    show(upTo(10_000));
    scroll(100 * ROW);
    const asked = told.wanted.length;
    assert.equal(told.wanted.at(-1), { from: 40, count: 131 });
    scroll(120 * ROW);
    assert.is(told.wanted.length, asked);
    scroll(135 * ROW);
    assert.is(told.wanted.length, asked + 1);
  });

  test("rows added above move neither what is seen nor what is active", () => {
    const { show, scroll, list, texts, active } = stage();
    show(upTo(500, 100));
    scroll(50 * ROW);
    list.activate(152);
    show(upTo(520, 80));
    assert.is(texts()[0], "150");
    assert.is(active()?.row, "152");
  });

  test("it follows the tail only from the tail, and not while a row is active", () => {
    const { show, scroll, list, texts } = stage(true);
    show(upTo(100));
    assert.is(texts().at(-1), "99");
    show(upTo(120));
    assert.is(texts().at(-1), "119");
    scroll(50 * ROW);
    show(upTo(140));
    assert.is(texts()[0], "50");
    scroll(140 * ROW);
    list.activate(135);
    show(upTo(160));
    assert.is.not(texts().at(-1), "159");
  });

  test("keys move the active row, and it is always brought in sight", () => {
    const { show, key, told, active, texts, frame } = stage();
    show(upTo(1_000));
    for (const each of ["ArrowDown", "ArrowDown", "PageDown", "End", "ArrowUp", "Home"]) key(each);
    assert.equal(told.moved, [0, 1, 10, 999, 998, 0]);
    assert.is(active(), frame()?.slots[0]);
    assert.is(frame()?.activeId, active()?.id);
    key("End");
    assert.is(texts().at(-1), "999");
    key("Enter");
    assert.equal(told.opened, [999]);
  });

  test("at 1,000,000 rows the bar is scaled: both ends are reached, and a wheel step is a wheel step", () => {
    const { show, scroll, space, scroller, texts } = stage();
    show(upTo(1_000_000));
    assert.is(space.style["height"], "15000000px");
    scroll(15_000_000);
    assert.is(texts().at(-1), "999999");
    scroll(0);
    scroller.listeners.get("wheel")?.({
      deltaY: 5 * ROW,
      deltaMode: 0,
      DOM_DELTA_LINE: 1,
      ctrlKey: false,
      preventDefault() {},
    });
    assert.is(texts()[0], "5");
  });

  test("another order goes back to its beginning", () => {
    const { show, scroll, list, texts } = stage();
    show(upTo(1_000));
    scroll(300 * ROW);
    list.reset();
    assert.is(texts()[0], "0");
  });
});
