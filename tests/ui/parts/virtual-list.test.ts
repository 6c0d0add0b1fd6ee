import * as assert from "uvu/assert";
import type { Range } from "../../../src/engine/messages/list-messages.ts";
import type { Picked } from "../../../src/ui/parts/picked-rows.ts";
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
function stage(follows = false, arrived: (() => boolean) | null = null) {
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
  const told = {
    wanted: [] as Range[],
    moved: [] as number[],
    opened: [] as number[],
    seeing: [] as Range[],
    picked: [] as Picked,
    frames: 0,
  };
  const seen: { frame: ListFrame<string> | null } = { frame: null };
  const list = new VirtualList<string>({
    name: "row",
    rowHeight: ROW,
    headHeight: 0,
    follows: () => follows,
    seeing: (from, count) => told.seeing.push({ from, count }),
    rowAt: (index) => (rows[index] === undefined ? null : String(rows[index])),
    keyAt: (index) => rows[index] ?? null,
    indexOf: (key) => {
      const at = rows.indexOf(Number(key));
      return at < 0 ? null : at;
    },
    wanted: (range) => told.wanted.push(range),
    ...(arrived === null ? {} : { arrived }),
    draw: (frame) => {
      seen.frame = frame;
      told.frames += 1;
    },
    moved: (_, key) => told.moved.push(Number(key)),
    picked: (picked) => {
      told.picked = picked;
    },
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
    /** Of `count` rows those are held. */
    show(next: readonly number[], count = next.length) {
      rows = next;
      list.update(count);
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
    /** The rows in sight that are picked. */
    picked: () =>
      told.picked.length === 0
        ? []
        : (seen.frame?.slots.flatMap(({ selected, index }) => (selected ? [index] : [])) ?? []),
    click: (index: number, held: { readonly shiftKey?: boolean; readonly ctrlKey?: boolean } = {}) =>
      list.click(index, { shiftKey: false, ctrlKey: false, metaKey: false, ...held }),
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

  test("a list that follows asks for its last rows before it knows how many there are, and for others only above them", () => {
    const { show, scroll, told } = stage(true);
    assert.is(told.wanted.length, 1);
    const [asked] = told.wanted;
    assert.ok((asked?.from ?? 0) > 1_000_000 && (asked?.count ?? 0) >= 40);
    show(upTo(1_000));
    show(upTo(1_100));
    assert.is(told.wanted.length, 1, "the last rows are asked for whichever they are");
    scroll(500 * ROW);
    assert.equal(told.wanted.at(-1), { from: 440, count: 131 });
  });

  test("a new filter of a list that follows asks for its last rows at once", () => {
    const { list, show, scroll, told } = stage(true);
    show(upTo(1_000));
    scroll(0);
    list.reset();
    assert.ok((told.wanted.at(-1)?.from ?? 0) > 1_000_000);
  });

  test("where another filter's rows are awaited, what is seen stays until they come, and for ever if they never do", () => {
    for (const follows of [false, true]) {
      let isThere = true;
      const { list, show, scroll, told, texts } = stage(follows, () => isThere);
      show(upTo(1_000));
      scroll(500 * ROW);
      const before = texts();
      isThere = false;
      list.reset();
      const wanted = told.wanted.length;
      if (follows) assert.ok((told.wanted.at(-1)?.from ?? 0) > 1_000_000);
      else assert.is(told.wanted.at(-1)?.from, 0);
      show(upTo(1_000));
      assert.equal(texts(), before);
      isThere = true;
      show(upTo(700).map((row) => row + 5_000));
      assert.is(texts()[follows ? texts().length - 1 : 0], follows ? "5699" : "5000");
      assert.is(told.wanted.length, wanted, "they were asked for once");
      scroll(300 * ROW);
      show(upTo(700).map((row) => row + 5_000));
      assert.is(texts()[0], "5300");
    }
  });

  test("what rows share is found before they are shaped", () => {
    const { show, scroll, told } = stage();
    show(upTo(1_000));
    scroll(30 * ROW);
    assert.equal(told.seeing.at(-1), { from: 30, count: 11 });
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

  test("Enter on a row that is still on its way opens it once it is there, unless another key comes first", () => {
    const { show, key, told } = stage();
    show(upTo(20), 1_000);
    key("End");
    key("Enter");
    assert.equal([told.moved, told.opened], [[], []]);
    show(upTo(1_000));
    assert.equal([told.moved, told.opened], [[999], [999]]);
    show(upTo(20), 1_000);
    for (const each of ["ArrowUp", "Enter", "ArrowUp"]) key(each);
    show(upTo(1_000));
    assert.equal([told.moved, told.opened], [[999, 997], [999]]);
  });

  test("Shift and the arrows draw a stretch out from the active row and back; a plain arrow ends it", () => {
    const { list, show, key, picked, told } = stage();
    show(upTo(100));
    list.activate(3);
    for (const name of ["ArrowDown", "ArrowDown", "ArrowUp"]) key(name, { shiftKey: true });
    assert.equal(picked(), [3, 4]);
    for (const name of ["ArrowUp", "ArrowUp"]) key(name, { shiftKey: true });
    assert.equal(picked(), [2, 3]);
    assert.equal(told.picked, [{ from: { key: 2, index: 2 }, to: { key: 3, index: 3 } }]);
    key("ArrowDown");
    assert.equal([picked(), told.picked], [[], []]);
  });

  test("clicks with Shift and Ctrl pick as in any list, and say so; a plain one does not", () => {
    const { show, click, list, picked, active } = stage();
    show(upTo(100));
    assert.not(click(2));
    list.activate(2);
    assert.ok(click(5, { ctrlKey: true }));
    assert.equal(picked(), [2, 5]);
    assert.ok(click(7, { shiftKey: true }));
    assert.equal(picked(), [5, 6, 7]);
    assert.is(active()?.index, 7);
    assert.ok(click(6, { ctrlKey: true }));
    assert.equal(picked(), [5, 7]);
    assert.not(click(1));
    assert.equal(picked(), []);
  });

  test("Ctrl+A picks all there are and will be; Escape, another order and an empty list none", () => {
    const { list, show, key, picked, told } = stage();
    show(upTo(5));
    key("a", { ctrlKey: true });
    show(upTo(8));
    assert.equal(picked(), upTo(8));
    assert.equal(told.picked, [{ from: null, to: null }]);
    for (const end of [() => key("Escape"), () => list.reset(), () => show([])]) {
      key("a", { ctrlKey: true });
      end();
      assert.equal(told.picked, []);
      show(upTo(8));
      assert.equal(picked(), []);
    }
  });

  test("picked rows stay the same rows when others come in above", () => {
    const { show, click, picked } = stage();
    show(upTo(8));
    click(2, { ctrlKey: true });
    click(4, { shiftKey: true });
    show(upTo(10, -2));
    assert.equal(picked(), [4, 5, 6]);
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
