import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ROW, stage, upTo } from "../list-stage.ts";

describe("virtual list", (test) => {
  test("given 10,000 rows, mounts only the visible ones", () => {
    const { show, texts, frame } = stage();
    show(upTo(10_000));
    assert.is(texts().length, 11);
    assert.is(frame()?.rowCount, 10_001);
    assert.is(frame()?.slots[0]?.rowIndex, 2);
  });

  test("given scrolling, renders nothing for less than a row and one frame for whole rows", () => {
    const { show, scroll, texts, calls } = stage();
    show(upTo(1_000));
    const before = calls.frames;
    scroll(7);
    assert.is(calls.frames, before);
    scroll(3 * ROW);
    assert.is(calls.frames, before + 1);
    assert.is(texts()[0], "3");
  });

  test("given a scroll position set just before new rows arrive, keeps it, even if the list followed its end", () => {
    for (const follows of [false, true]) {
      const { show, scroll, scroller, texts } = stage(follows);
      show(upTo(1_000));
      scroll(980 * ROW);
      // The browser dispatches the scroll event in its next frame.
      scroller.scrollTop = 5 * ROW;
      show(upTo(1_010));
      assert.is(scroller.scrollTop, 5 * ROW);
      assert.is(texts()[0], "5");
    }
  });

  test("given a list at its end that grew taller just before new rows arrive, keeps following its end", () => {
    const { show, scroller } = stage(true);
    show(upTo(1_000));
    scroller.clientHeight += 200;
    // A browser moves the scroll bar: there is nothing below.
    scroller.scrollTop = 1_000 * ROW;
    for (const count of [1_010, 1_030]) {
      show(upTo(count));
      assert.is(scroller.scrollTop, count * ROW - 400);
    }
  });

  test("given another height, a list that follows its end goes on following it, and one that was scrolled up stays", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: ROW, max: 600 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (heights, isUp) => {
          const { show, scroll, resize, scroller } = stage(true);
          let count = 1_000;
          show(upTo(count));
          if (isUp) scroll(5 * ROW);
          for (const height of heights) {
            resize(height);
            assert.is(scroller.scrollTop, isUp ? 5 * ROW : count * ROW - height);
            count += 10;
            show(upTo(count));
            assert.is(scroller.scrollTop, isUp ? 5 * ROW : count * ROW - height);
          }
        },
      ),
    );
  });

  test("given a smaller height, a visible active row stays visible instead of the list's end", () => {
    const { list, show, resize, texts } = stage(true);
    show(upTo(1_000));
    list.activate(991);
    resize(2 * ROW);
    assert.ok(texts().includes("991"));
  });

  test("given scrolling by a few rows, reuses the slot objects of rows that stay visible", () => {
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

  test("given a change of one row, replaces its slot object and reuses the others", () => {
    const { show, frame } = stage();
    show(upTo(50));
    const before = frame()?.slots ?? [];
    show([0, 1, 999, ...upTo(47, 3)]);
    const now = frame()?.slots ?? [];
    assert.is(now[1], before[1]);
    assert.is.not(now[2], before[2]);
  });

  test("given a scroll, calls `seeing` with the range of visible rows", () => {
    const { show, scroll, calls } = stage();
    show(upTo(1_000));
    scroll(30 * ROW);
    assert.equal(calls.seeing.at(-1), { from: 30, count: 11 });
  });

  test("given rows that come while the list is scrolled up, counts them until its end is in sight again", () =>
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 200 }), fc.array(fc.nat(20), { maxLength: 5 }), (first, added) => {
        const { list, calls, show, scroll } = stage(true);
        show(upTo(first));
        assert.is(calls.missed, 0);
        scroll(ROW);
        let count = first;
        for (const more of added) {
          count += more;
          show(upTo(count));
          assert.is(calls.missed, count - first);
        }
        list.toEnd();
        assert.is(calls.missed, 0);
        show(upTo(count + 3));
        assert.is(calls.missed, 0);
      }),
    ));

  test("given rows that are deleted and restored above the end, none of them is new, but what came meanwhile is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 5 }), fc.nat(3), (from, count, came) => {
        const { show, scroll, calls } = stage(true);
        show(upTo(100));
        scroll(0);
        show([...upTo(from), ...upTo(100 - from - count, from + count)]);
        assert.is(calls.missed, 0);
        show(upTo(100 + came));
        assert.is(calls.missed, came);
      }),
    );
  });

  test("given an active row that is visible, keeps it visible when the rows above it are deleted", () => {
    const { list, show, scroll, active } = stage();
    show(upTo(1_000));
    scroll(500 * ROW);
    list.activate(505);
    show(upTo(1_000).filter((row) => row < 490 || row >= 505));
    assert.is(active()?.row, "505");
    assert.is(active()?.index, 490);
  });
});
