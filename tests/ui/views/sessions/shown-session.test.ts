import * as assert from "uvu/assert";
import type { ListQuery, ValueQuery } from "../../../../src/engine/messages/messages.ts";
import type { SessionRecord, Shown } from "../../../../src/engine/messages/session-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { shownSession } from "../../../../src/ui/views/sessions/shown-session.ts";
import { describe } from "../../../support/describe.ts";

const recordOf = (id: string, state: SessionRecord["state"]): SessionRecord => ({
  id,
  name: "",
  title: "",
  notes: "",
  state,
  imported: false,
  startedAt: 0 as Instant,
  endedAt: null,
  exchanges: 1,
  kept: true,
  size: 0,
  figures: null,
  baseline: "not-ended",
});

/** The session that the page shows, and the one that is recorded; `null`: none. */
type ShownState = readonly [shown: Shown, current: string | null];

const CURRENT: Shown = { kind: "current" };
const STORED: Shown = {
  kind: "stored",
  session: "old",
  name: "",
  startedAt: 0 as Instant,
  endedAt: null,
  problem: null,
};

/** The selected session after each of these states, and whether the selection in it was kept. */
function after(...told: readonly ShownState[]) {
  const selection = new Selection();
  const values: Record<string, unknown> = {};
  const listeners: (() => void)[] = [];
  const windows = {
    value: ({ view }: ListQuery | ValueQuery, onChange: () => void) => {
      listeners.push(onChange);
      return {
        get value() {
          return values[view];
        },
      };
    },
  };
  const view = shownSession({ selection, windows } as unknown as ViewDependencies);
  view.init();
  return told.map(([shown, current]) => {
    const sessions = [recordOf("old", "completed"), ...(current === null ? [] : [recordOf(current, "current")])];
    Object.assign(values, { shown, sessions: { sessions, trash: [], recovered: null, size: 0 } });
    selection.set({ exchange: 7 as ExchangeId });
    for (const listen of listeners) listen();
    return [selection.now.session, selection.now.exchange !== null];
  });
}

describe("displayed session", (test) => {
  test("given another or a cleared session, clears the selected exchange, but not without a change", () => {
    assert.equal(after([CURRENT, "a"], [CURRENT, "a"], [CURRENT, null]).slice(1), [
      ["a", true],
      [null, false],
    ]);
    assert.equal(after([CURRENT, "a"], [CURRENT, "b"]).at(-1), ["b", false]);
    assert.equal(after([CURRENT, "a"], [STORED, "a"], [STORED, "b"], [CURRENT, "b"]).slice(1), [
      ["old", false],
      ["old", true],
      ["b", false],
    ]);
  });

  test("given a session that begins or is being opened, keeps the selected exchange", () => {
    assert.equal(after([CURRENT, null], [CURRENT, "a"], [{ kind: "opening", session: "old", progress: 0.5 }, "a"]), [
      [null, true],
      ["a", true],
      ["a", true],
    ]);
  });
});
