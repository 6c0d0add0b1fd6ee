import * as assert from "uvu/assert";
import type { SessionRecord } from "../../../../src/engine/messages/session-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import {
  recoveredText,
  sessionRowOf,
  sessionsText,
  shownTextsOf,
} from "../../../../src/ui/views/sessions/session-rows.ts";
import { describe } from "../../../support/describe.ts";

const START = new Date(2026, 10, 20, 12, 36, 22).getTime() as Instant;
const NOW = (START + 90_000) as Instant;
const RECORD: SessionRecord = {
  id: "a",
  name: "Before the cache",
  title: "",
  notes: "without Redis",
  state: "completed",
  imported: false,
  startedAt: START,
  endedAt: (START + 702_000) as Instant,
  exchanges: 12_402,
  kept: true,
  size: 12_800_000,
  figures: { p95: 542, errorRate: 4.5, bytes: 12_000_000, endpoints: 12 },
  baseline: "in",
};
const row = (change: Partial<SessionRecord>) => sessionRowOf({ ...RECORD, ...change }, { kind: "current" }, NOW);

describe("session rows", (test) => {
  test("given a session, shows its name, start, duration, counts and figures", () => {
    const { name, started, length, exchanges, p95, errors, size, sizeUnit, baseline } = row({});
    assert.equal(
      [name, started, length, exchanges, p95, errors, size, sizeUnit, baseline],
      ["Before the cache", "2026-11-20 12:36", "11:42", "12,402", "542", "4.5 %", "12.2", "MB", "yes"],
    );
  });

  test('given a session without a name, names it by its start, and the current one "Current session"', () => {
    assert.is(row({ name: "" }).name, "Session of 2026-11-20 12:36:22");
    const current = row({ name: "", state: "current", endedAt: null, figures: null, baseline: "not-ended" });
    assert.equal(
      [current.name, current.mark, current.length, current.p95],
      ["Current session", "recording", "1:30", "–"],
    );
  });

  test("given a special state of a session, marks it with a word", () => {
    assert.equal(
      [{}, { state: "recovered" }, { imported: true }, { kept: false }].map((change) => row(change as object).mark),
      ["", "recovered", "imported", "figures only"],
    );
  });

  test("given a session that was cut off, says why it has no figures until it is opened", () => {
    const cutOff = row({ state: "recovered", figures: null, baseline: "not-ended" });
    assert.equal([cutOff.p95, cutOff.errors, cutOff.baseline], ["–", "–", "once opened"]);
    assert.match(cutOff.figuresTitle, "Open the session to compute them");
    assert.is(cutOff.baselineTitle, cutOff.figuresTitle);
    assert.is(row({ state: "recovered" }).figuresTitle, "");
    assert.is(row({ state: "current", figures: null, baseline: "not-ended" }).figuresTitle, "");
  });

  test("given a session, offers to open it only if its exchanges are kept and it is not shown already", () => {
    assert.is(row({}).openable, true);
    assert.is(row({ kept: false }).openable, false);
    const stored = { kind: "stored", session: "a", name: "", startedAt: START, endedAt: null, problem: null } as const;
    assert.equal([sessionRowOf(RECORD, stored, NOW).openable, sessionRowOf(RECORD, stored, NOW).shown], [false, true]);
    const current = sessionRowOf({ ...RECORD, state: "current", id: "b" }, stored, NOW);
    assert.equal([current.openable, current.shown], [true, false]);
  });

  test("given a session's place in the baseline, offers the choice only where a comparison is possible", () => {
    assert.equal(
      (["in", "left-out", "older", "too-small", "not-ended"] as const).map((baseline) => {
        const { inBaseline, baselineChoice } = row({ baseline });
        return [inBaseline, baselineChoice];
      }),
      [
        [true, true],
        [false, true],
        [true, true],
        [false, false],
        [false, false],
      ],
    );
  });

  test("given a stored session on display, says so, and where new requests are recorded", () => {
    assert.is(shownTextsOf({ kind: "current" }, ""), null);
    assert.is(
      shownTextsOf({ kind: "opening", session: "a", progress: 0.5 }, "Before the cache")?.text,
      "Opening Before the cache.",
    );
    const shown = { kind: "stored", session: "a", name: "", startedAt: START, endedAt: null, problem: null } as const;
    assert.match(
      shownTextsOf(shown, "Before the cache")?.text ?? "",
      /^Showing Before the cache, .*read-only\. New requests are recorded in another session\.$/,
    );
  });

  test("given a session that was cut off, offers it until the notice is dismissed", () => {
    const sessions = { sessions: [{ ...RECORD, state: "recovered" as const }], trash: [], size: 12_800_000 };
    assert.is(
      recoveredText({ ...sessions, recovered: "a" }),
      "The session of 2026-11-20 12:36 was cut off. 12,402 exchanges of this session are kept.",
    );
    assert.is(recoveredText({ ...sessions, recovered: null }), "");
    assert.is(sessionsText({ ...sessions, recovered: null }), "1 session, 12.2 MB on disk");
    const trash = [{ ...RECORD, trashedAt: START }];
    assert.is(sessionsText({ ...sessions, trash, recovered: null }), "1 session, 12.2 MB on disk with the trash");
  });
});
