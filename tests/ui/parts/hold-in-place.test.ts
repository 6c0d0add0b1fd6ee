import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { holdInPlace } from "../../../src/ui/parts/hold-in-place.ts";
import { describe } from "../../support/describe.ts";

/** A scroller with one hovered element; `above`: px before the element, `below`: px after it. */
function made(height: number, hovered = true) {
  const state = { above: 0, below: 0 };
  const style = { paddingBottom: "" };
  let scrollTop = 0;
  const scroller = {
    style,
    clientHeight: height,
    get scrollHeight() {
      return Math.max(height, state.above + state.below + (Number.parseFloat(style.paddingBottom) || 0));
    },
    get scrollTop() {
      return scrollTop;
    },
    set scrollTop(to: number) {
      scrollTop = Math.max(0, Math.min(to, this.scrollHeight - height));
    },
    querySelectorAll: () =>
      hovered ? [{ isConnected: true, getBoundingClientRect: () => ({ top: state.above - scrollTop }) }] : [],
  };
  return { state, style, scroller, hold: () => holdInPlace(scroller as unknown as HTMLElement) };
}

const px = fc.nat({ max: 600 });

describe("what is under the mouse", (test) => {
  test("given any growth above it, with or without room to scroll, stays in place", () =>
    fc.assert(
      fc.property(
        px,
        px,
        fc.array(px, { maxLength: 5 }),
        fc.integer({ min: 1, max: 1_000 }),
        (above, below, grown, height) => {
          const { state, scroller, hold } = made(height);
          Object.assign(state, { above, below });
          for (const by of grown) {
            const before = state.above - scroller.scrollTop;
            const drawn = hold();
            state.above += by;
            drawn();
            assert.is(state.above - scroller.scrollTop, before);
          }
        },
      ),
    ));

  test("given the mouse elsewhere, scrolls nothing and removes the empty space", () => {
    const { state, style, scroller, hold } = made(500, false);
    style.paddingBottom = "40px";
    const drawn = hold();
    state.above += 900;
    drawn();
    assert.equal([scroller.scrollTop, style.paddingBottom], [0, ""]);
  });
});
