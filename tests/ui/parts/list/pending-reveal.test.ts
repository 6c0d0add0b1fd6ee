import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ROW, stage, upTo } from "../list-stage.ts";

/** The last 120 of 1,000 rows, as a following list has at first. */
const TAIL: number[] = [];
for (const row of upTo(120, 880)) TAIL[row] = row;

describe("pending reveal of a row", (test) => {
  test("given a loaded row, makes it active and scrolls to it at once without asking for its index", () => {
    const { list, show, calls, active, frame } = stage();
    show(upTo(1_000));
    list.show(500);
    assert.is(active()?.row, "500");
    assert.is(frame()?.activeId, active()?.id);
    assert.is(calls.requested.length, 0, "nobody had to be asked");
    list.activate(3);
    assert.is(active(), null, "one that is only made active moves nothing");
  });

  for (const isToldFirst of [false, true]) {
    test(`given a row that is not loaded, scrolls to it when its index arrives ${isToldFirst ? "before" : "after"} the first rows`, () => {
      const { list, show, calls, active, texts } = stage(true);
      list.show(40);
      if (isToldFirst) calls.requested[0]?.(40);
      show(TAIL, 1_000);
      if (!isToldFirst) {
        assert.is(texts().at(-1), "999", "until then the list is where it begins");
        calls.requested[0]?.(40);
      }
      assert.ok((calls.wanted.at(-1)?.from ?? 1_000) <= 40);
      show(upTo(160), 1_000);
      assert.is(active()?.row, "40");
    });
  }

  test("given rows added above while the row's index is looked up, still makes the right row active", () => {
    const { list, show, calls, active } = stage(true);
    list.show(40);
    show(TAIL, 1_000);
    calls.requested[0]?.(40);
    show(upTo(160, -30), 1_030);
    assert.equal([active()?.row, active()?.index], ["40", 70]);
  });

  test("given a row that is not in the list, leaves the scroll position at its default", () => {
    const { list, show, calls, texts } = stage(true);
    list.show(40);
    show(TAIL, 1_000);
    calls.requested[0]?.(null);
    show(TAIL, 1_000);
    assert.is(texts().at(-1), "999");
  });

  test("given a scroll or a key press while a row is looked up, does not scroll back to the found row", () => {
    const { list, show, calls, scroll, key, frame } = stage();
    const first = () => frame()?.slots[0]?.index;
    show(upTo(160), 1_000);
    list.show(700);
    scroll(300 * ROW);
    calls.requested[0]?.(700);
    assert.is(first(), 300);
    list.show(800);
    key("Home");
    calls.requested[1]?.(800);
    assert.is(first(), 0);
    list.show(900);
    calls.requested[2]?.(900);
    show(upTo(1_000));
    scroll(300 * ROW);
    show(upTo(1_000));
    assert.is(first(), 300);
  });

  test("given another filter, looks for the row among the new filter's rows", () => {
    let isThere = true;
    const { list, show, active, texts } = stage(false, () => (isThere ? "come" : "awaited"));
    show(upTo(1_000));
    isThere = false;
    list.reset();
    list.show(500);
    show(upTo(1_000));
    assert.is(texts()[0], "0", "these are the rows before");
    isThere = true;
    show(upTo(300, 400));
    assert.equal([active()?.row, active()?.index], ["500", 100]);
  });

  test("given another filter whose first rows lack the row, asks for its index and makes it active", () => {
    let isThere = true;
    const { list, show, calls, active, texts } = stage(true, () => (isThere ? "come" : "awaited"));
    show(upTo(1_000));
    isThere = false;
    list.reset();
    list.show(500);
    assert.is(calls.requested.length, 0, "among the rows before it is held");
    isThere = true;
    show(TAIL, 1_000);
    assert.equal([texts().at(-1), calls.requested.length], ["999", 1]);
    calls.requested[0]?.(500);
    show(upTo(1_000));
    assert.is(active()?.row, "500");
  });
});
