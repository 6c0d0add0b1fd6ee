import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { stage, upTo } from "../list-stage.ts";

describe("active row of a list", (test) => {
  test("given navigation keys, moves the active row and scrolls it into view", () => {
    const { show, key, calls, active, texts, frame } = stage();
    show(upTo(1_000));
    for (const each of ["ArrowDown", "ArrowDown", "PageDown", "End", "ArrowUp", "Home"]) key(each);
    assert.equal(calls.moved, [0, 1, 10, 999, 998, 0]);
    assert.is(active(), frame()?.slots[0]);
    assert.is(frame()?.activeId, active()?.id);
    key("End");
    assert.is(texts().at(-1), "999");
    key("Enter");
    assert.equal(calls.opened, [999]);
  });

  test("given Enter on a row that is still loading, opens it once loaded, unless another key is pressed first", () => {
    const { show, key, calls } = stage();
    show(upTo(20), 1_000);
    key("End");
    key("Enter");
    assert.equal([calls.moved, calls.opened], [[], []]);
    show(upTo(1_000));
    assert.equal([calls.moved, calls.opened], [[999], [999]]);
    show(upTo(20), 1_000);
    for (const each of ["ArrowUp", "Enter", "ArrowUp"]) key(each);
    show(upTo(1_000));
    assert.equal([calls.moved, calls.opened], [[999, 997], [999]]);
  });
});
