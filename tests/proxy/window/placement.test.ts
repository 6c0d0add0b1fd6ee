import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Placement, type WindowBounds } from "../../../extensions/proxy/window/placement.ts";
import { describe } from "../../support/describe.ts";

const bounds = fc.record({
  x: fc.integer({ min: -4_000, max: 4_000 }),
  y: fc.integer({ min: -4_000, max: 4_000 }),
  width: fc.integer({ min: 900, max: 4_000 }),
  height: fc.integer({ min: 600, max: 2_000 }),
});
const FULL = { x: 0, y: 0, width: 5_000, height: 3_000 };

/** A window that tells `state`, also whether it is maximized if `tells`. */
function stage(last: WindowBounds | null, tells: boolean) {
  const calls: [string, unknown][] = [];
  const stored: WindowBounds[] = [];
  const state = { ...FULL, isMaximized: false };
  const answers: Readonly<Record<string, () => unknown>> = {
    "window.getPosition": () => ({ x: state.x, y: state.y }),
    "window.getSize": () => ({ width: state.width, height: state.height, maxWidth: -1 }),
    "window.isMaximized": () => tells && state.isMaximized,
  };
  const channel = {
    call: (method: string, data: unknown) => void calls.push([method, data]),
    ask: async (method: string) => answers[method]?.() ?? null,
  };
  const placement = new Placement(channel, last, (one) => stored.push(one));
  return { placement, calls, stored, state };
}

describe("native window placement", (test) => {
  test("given where it was, shows it there, and maximized if it was", () =>
    fc.assert(
      fc.property(bounds, fc.boolean(), ({ x, y, width, height }, isMaximized) => {
        const { placement, calls } = stage({ x, y, width, height, isMaximized }, true);
        placement.restore();
        placement.stopWatching();
        assert.equal(calls, [
          ["window.setSize", { width, height }],
          ["window.show", {}],
          ["window.move", { x, y }],
          ...(isMaximized ? [["window.maximize", {}]] : []),
        ]);
      }),
    ));

  test("given a window that moves, stores each place once", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(bounds, { minLength: 1, maxLength: 5, selector: JSON.stringify }),
        async (places) => {
          const { placement, stored, state } = stage(null, true);
          for (const one of places) {
            Object.assign(state, one);
            await placement.look();
            await placement.look();
          }
          assert.equal(
            stored,
            places.map((one) => ({ ...one, isMaximized: false })),
          );
        },
      ),
    ));

  for (const tells of [true, false])
    test(`given a maximized window that ${tells ? "says so" : "never says so"}, keeps where it was before, until it is not`, () =>
      fc.assert(
        fc.asyncProperty(bounds, bounds, async (before, after) => {
          const { placement, stored, state } = stage(null, tells);
          Object.assign(state, before);
          await placement.look();
          Object.assign(state, FULL, { isMaximized: true });
          await placement.look(!tells);
          await placement.look();
          assert.equal(stored.at(-1), { ...before, isMaximized: true });
          Object.assign(state, after, { isMaximized: false });
          await placement.look();
          assert.equal(stored.at(-1), { ...after, isMaximized: false });
        }),
      ));

  test("given a window that does not answer, stores nothing", async () => {
    const { placement, stored, state } = stage(null, true);
    Object.assign(state, { x: null });
    await placement.look();
    assert.equal(stored, []);
  });
});
