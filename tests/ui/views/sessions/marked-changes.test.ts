import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { MarkedChanges } from "../../../../src/engine/messages/compare-messages.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import { UndoStack } from "../../../../src/ui/state/undo.ts";
import { markedChanges } from "../../../../src/ui/views/sessions/marked-changes.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";

/** The part over an engine that answers with these values, and its announcements. */
function shownWith(
  value: MarkedChanges,
  kind: "current" | "stored",
  reply: { readonly problem: string } | null = null,
) {
  const announced: string[] = [];
  const marks: string[] = [];
  const { channel, receive, enter } = fakeChannel((message) => {
    if (message.type === "subscribe") {
      const { subscription, query } = message;
      const named = { session: "", name: "", startedAt: 0, endedAt: 0, problem: null };
      const answer = query.view === "shown" ? { kind, ...(kind === "stored" ? named : {}) } : value;
      receive({ type: "value", subscription, revision: 1, value: answer } as FromEngine);
    }
    if (message.type !== "command" || message.command.type !== "mark-change") return;
    marks.push(message.command.mark);
    const { number } = message;
    queueMicrotask(() =>
      receive(
        reply === null
          ? { type: "reply", number, ok: true, value: null }
          : { type: "reply", number, ok: false, ...reply },
      ),
    );
  });
  const deps = {
    windows: new SubscriptionStore(channel, (run) => run),
    commands: new Commands(channel),
    announce: (text: string) => void announced.push(text),
    undo: new UndoStack(),
  };
  enter({ kind: "open" });
  const part = markedChanges(deps);
  (part as { init(): void }).init();
  return { part, announced, marks, undo: deps.undo };
}

const endpoint = { method: "GET", origin: "https://shop.test", path: "/v1/prices", operation: null };

describe("comparison of marked changes", (test) => {
  test("given no mark, says how to begin; a stored session without marks has no such part", async () => {
    const none: MarkedChanges = { mark: null, changes: [] };
    const { part } = shownWith(none, "current");
    await null;
    assert.equal([part.visible, part.recorded, part.rows.length], [true, true, 0]);
    assert.match(part.hint, /weir mark A/);
    part.destroy();
    const stored = shownWith(none, "stored").part;
    await null;
    assert.not(stored.visible);
  });

  test("given a mark that is undone, marks the one before again and says so; the first cannot be undone", async () => {
    for (const before of ["B", null] as const) {
      const { part, marks, undo } = shownWith({ mark: before, changes: [] }, "current");
      await null;
      await part.setMark("A");
      const said = await undo.undo();
      if (before === null) assert.match(said, /^The first mark cannot be undone\./);
      else assert.is(said, "Marked B again. Requests until now count to A.");
      assert.equal(marks, before === null ? ["A"] : ["A", "B"]);
    }
  });

  test("given units of A and B, shows each page or walk with its sentences and the changed endpoints", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("load" as const, "walk" as const),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
        fc.constantFrom("current" as const, "stored" as const),
        async (unit, turns, texts, kind) => {
          const changed = { ...endpoint, verdict: "slower" as const, text: "B is slower." };
          const record = { ...endpoint, unit, verdict: "slower" as const, counts: { A: 9, B: 9 }, turns, texts };
          const { part } = shownWith({ mark: "B", changes: [{ ...record, endpoints: [changed] }] }, kind);
          await null;
          assert.equal([part.visible, part.recorded, part.mark, part.hint], [true, kind === "current", "B", ""]);
          const [row] = part.rows;
          assert.equal([row?.name, row?.text], ["GET shop.test/v1/prices", texts.join(" ")]);
          assert.ok(row?.what.startsWith(unit === "load" ? "page loads, " : "walks from here, "));
          assert.ok(row?.what.endsWith(turns === 1 ? "1 turn" : `${turns} turns`));
          assert.equal(
            row?.endpoints.map(({ name, text }) => `${name}: ${text}`),
            ["GET /v1/prices: B is slower."],
          );
        },
      ),
    ));

  test("given a mark without results, says that it compares, or that nothing has ended yet", async () => {
    const waiting = shownWith({ mark: "A", changes: null }, "current").part;
    const nothing = shownWith({ mark: "A", changes: [] }, "current").part;
    await null;
    assert.is(waiting.hint, "Comparing…");
    assert.match(nothing.hint, /^No page load has ended since the first mark/);
  });

  test("given a press of A or B, marks it, and says so or why not", async () => {
    for (const mark of ["A", "B"] as const) {
      const { part, marks, announced } = shownWith({ mark: null, changes: [] }, "current");
      await part.setMark(mark);
      assert.equal([marks, announced], [[mark], [`Marked ${mark}: requests that start from now on count to ${mark}.`]]);
      const refused = shownWith({ mark: null, changes: [] }, "current", { problem: "Recording is paused." });
      await refused.part.setMark(mark);
      assert.equal(refused.announced, ["Recording is paused."]);
    }
  });
});
