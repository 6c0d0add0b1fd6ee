import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { stage, upTo } from "../list-stage.ts";

describe("selection of several rows", (test) => {
  test("given Shift and arrow keys, grows and shrinks a range from the active row, and a plain arrow clears it", () => {
    const { list, show, key, selected, calls } = stage();
    show(upTo(100));
    list.activate(3);
    for (const name of ["ArrowDown", "ArrowDown", "ArrowUp"]) key(name, { shiftKey: true });
    assert.equal(selected(), [3, 4]);
    for (const name of ["ArrowUp", "ArrowUp"]) key(name, { shiftKey: true });
    assert.equal(selected(), [2, 3]);
    assert.equal(calls.selected, [{ from: { key: 2, index: 2 }, to: { key: 3, index: 3 } }]);
    key("ArrowDown");
    assert.equal([selected(), calls.selected], [[], []]);
  });

  test("given clicks with Shift or Ctrl, selects a range or toggles a row, and a plain click clears the selection", () => {
    const { show, click, list, selected, active } = stage();
    show(upTo(100));
    assert.not(click(2));
    list.activate(2);
    assert.ok(click(5, { ctrlKey: true }));
    assert.equal(selected(), [2, 5]);
    assert.ok(click(7, { shiftKey: true }));
    assert.equal(selected(), [5, 6, 7]);
    assert.is(active()?.index, 7);
    assert.ok(click(6, { ctrlKey: true }));
    assert.equal(selected(), [5, 7]);
    assert.not(click(1));
    assert.equal(selected(), []);
  });

  test("given Ctrl+A, selects all present and future rows until Escape, another order or an empty list", () => {
    const { list, show, key, selected, calls } = stage();
    show(upTo(5));
    key("a", { ctrlKey: true });
    show(upTo(8));
    assert.equal(selected(), upTo(8));
    assert.equal(calls.selected, [{ from: null, to: null }]);
    const reorder = () => {
      list.reset();
      show(upTo(8));
    };
    for (const end of [() => key("Escape"), reorder, () => show([])]) {
      key("a", { ctrlKey: true });
      end();
      assert.equal(calls.selected, []);
      show(upTo(8));
      assert.equal(selected(), []);
    }
  });

  test("given rows added above, keeps the same rows selected", () => {
    const { show, click, selected } = stage();
    show(upTo(8));
    click(2, { ctrlKey: true });
    click(4, { shiftKey: true });
    show(upTo(10, -2));
    assert.equal(selected(), [4, 5, 6]);
  });
});
