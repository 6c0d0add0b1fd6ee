import * as assert from "uvu/assert";
import { SlotRecycler } from "../../../../src/ui/parts/list/slot-recycler.ts";
import { describe } from "../../../support/describe.ts";

/** A template and the elements made from it, by slot. */
class Window {
  children: (string | { after(...rows: readonly string[]): void })[] = [];

  constructor(...rows: readonly string[]) {
    const after = (...moved: readonly string[]): void => {
      const [template, ...others] = this.children;
      this.children = [template ?? "", ...moved, ...others.filter((row) => !moved.includes(String(row)))];
    };
    this.children = [{ after }, ...rows];
  }

  append(...moved: readonly string[]): void {
    this.children = [...this.children.filter((row) => !moved.includes(String(row))), ...moved];
  }

  rows(): readonly string[] {
    return this.children.slice(1).map(String);
  }
}

const at = (order: SlotRecycler, window: Window, first: number, count: number): string =>
  order.at(first, count, window as unknown as HTMLElement).join("");

describe("slot recycler of a list", (test) => {
  test("given scrolling by a row, moves the slots that leave at one end, with their elements, to the other", () => {
    const [order, window] = [new SlotRecycler(), new Window("0", "1", "2", "3")];
    assert.is(at(order, window, 7, 4), "0123");
    assert.is(at(order, window, 8, 4), "1230");
    assert.equal(window.rows(), ["1", "2", "3", "0"]);
    assert.is(at(order, window, 6, 4), "3012");
    assert.equal(window.rows(), ["3", "0", "1", "2"]);
  });

  test("given a jump after which less than half of the rows stay visible, leaves every slot in place", () => {
    const [order, window] = [new SlotRecycler(), new Window("0", "1", "2")];
    at(order, window, 0, 3);
    assert.is(at(order, window, 2, 3), "012");
    assert.is(at(order, window, 5, 3), "012");
    assert.is(at(order, window, 900, 3), "012");
    assert.equal(window.rows(), ["0", "1", "2"]);
  });

  test("given fewer rows, drops the last slots, and given more rows, adds the free slots again", () => {
    const [order, window] = [new SlotRecycler(), new Window("0", "1", "2", "3")];
    at(order, window, 0, 4);
    assert.is(at(order, window, 1, 2), "12");
    assert.is(at(order, window, 1, 5), "12034");
  });
});
