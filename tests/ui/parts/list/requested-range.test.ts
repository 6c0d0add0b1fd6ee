import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ROW, stage, upTo } from "../list-stage.ts";

describe("requested range of a list", (test) => {
  test("given scrolling, requests the visible rows with a margin, and again only near the margin's edge", () => {
    const { show, scroll, calls } = stage();
    show(upTo(10_000));
    scroll(100 * ROW);
    const asked = calls.wanted.length;
    assert.equal(calls.wanted.at(-1), { from: 40, count: 131 });
    scroll(120 * ROW);
    assert.is(calls.wanted.length, asked);
    scroll(135 * ROW);
    assert.is(calls.wanted.length, asked + 1);
  });

  test("given a list that follows its end, requests the last rows first, and others only when scrolled up", () => {
    const { show, scroll, calls } = stage(true);
    assert.is(calls.wanted.length, 1);
    const [asked] = calls.wanted;
    assert.ok((asked?.from ?? 0) > 1_000_000 && (asked?.count ?? 0) >= 40);
    show(upTo(1_000));
    show(upTo(1_100));
    assert.is(calls.wanted.length, 1, "the last rows are asked for whichever they are");
    scroll(500 * ROW);
    assert.equal(calls.wanted.at(-1), { from: 440, count: 131 });
  });

  test("given another filter in a list that follows its end, requests the last rows at once", () => {
    const { list, show, scroll, calls } = stage(true);
    show(upTo(1_000));
    scroll(0);
    list.reset();
    assert.ok((calls.wanted.at(-1)?.from ?? 0) > 1_000_000);
  });

  test("given another filter, keeps the visible rows until its rows arrive, or for ever if they never do", () => {
    for (const follows of [false, true]) {
      let isThere = true;
      const { list, show, scroll, calls, texts } = stage(follows, () => (isThere ? "come" : "awaited"));
      show(upTo(1_000));
      scroll(500 * ROW);
      const before = texts();
      isThere = false;
      list.reset();
      const wanted = calls.wanted.length;
      if (follows) assert.ok((calls.wanted.at(-1)?.from ?? 0) > 1_000_000);
      else assert.is(calls.wanted.at(-1)?.from, 0);
      show(upTo(1_000));
      assert.equal(texts(), before);
      isThere = true;
      show(upTo(700).map((row) => row + 5_000));
      assert.is(texts()[follows ? texts().length - 1 : 0], follows ? "5699" : "5000");
      assert.is(calls.wanted.length, wanted, "they were asked for once");
      scroll(300 * ROW);
      show(upTo(700).map((row) => row + 5_000));
      assert.is(texts()[0], "5300");
    }
  });

  test("given a refused filter, keeps the scroll position and requests the rows that are scrolled to", () => {
    for (const follows of [false, true]) {
      let answer: "come" | "refused" = "come";
      const { list, show, scroll, calls, texts } = stage(follows, () => answer);
      show(upTo(1_000));
      scroll(500 * ROW);
      const before = texts();
      answer = "refused";
      list.reset();
      show(upTo(1_000));
      assert.equal(texts(), before);
      scroll(100 * ROW);
      assert.equal(calls.wanted.at(-1), { from: 40, count: 131 });
      answer = "come";
      list.reset();
      show(upTo(700, 5_000));
      assert.is(texts()[follows ? texts().length - 1 : 0], follows ? "5699" : "5000");
    }
  });
});
