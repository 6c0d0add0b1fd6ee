import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ROW, stage, upTo } from "../list-stage.ts";

describe("scroll position of a list", (test) => {
  test("given rows added above, keeps the same rows visible and the same row active", () => {
    const { show, scroll, list, texts, active } = stage();
    show(upTo(500, 100));
    scroll(50 * ROW);
    list.activate(152);
    show(upTo(520, 80));
    assert.is(texts()[0], "150");
    assert.is(active()?.row, "152");
  });

  test("given new rows, follows the end only when scrolled to it, and not while the active row is visible", () => {
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
    scroll(160 * ROW);
    show(upTo(180));
    assert.is(texts().at(-1), "179", "whoever has scrolled away from it to the tail follows again");
  });

  test("given 1,000,000 rows, scales the scroll bar, reaches both ends, and keeps the size of a wheel step", () => {
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

  test("given another order, scrolls back to the beginning", () => {
    const { show, scroll, list, texts } = stage();
    show(upTo(1_000));
    scroll(300 * ROW);
    list.reset();
    show(upTo(1_000));
    assert.is(texts()[0], "0");
  });
});
