import * as assert from "uvu/assert";
import type { Status, Summary } from "../../../../src/engine/messages/status-messages.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { sinceText } from "../../../../src/ui/format/clock.ts";
import { idleBarOf, noticesOf, statusItemsOf } from "../../../../src/ui/views/shell/status-rows.ts";
import { describe } from "../../../support/describe.ts";

const START = 1_700_000_000_000 as Instant;
const PROXY = { running: true, address: "127.0.0.1", port: 8686, wantedPort: null, problem: null };

function status(change: Partial<Status> = {}): Status {
  return { proxy: PROXY, recording: true, settings: DEFAULT_SETTINGS, notices: [], ...change } as Status;
}

function summary(change: Partial<Summary> = {}): Summary {
  return {
    sessionStart: START,
    exchanges: 396,
    errorRate: 4.54,
    ratePerMinute: 33.8,
    bytes: 12_792_627,
    overheadP95: 0.42,
    dropped: 0,
    forgotten: 0,
    hosts: [{ host: "api.shop.test", exchanges: 1313 }],
    hostCount: 1,
    ...change,
  } as Summary;
}

function line(change: Partial<Summary> = {}): string {
  return statusItemsOf(summary(change), (START + 702_000) as Instant)
    .map(({ before, figure, after }) => before + figure + after)
    .join(" | ");
}

describe("status bar", (test) => {
  test("given a summary, shows its figures in the status bar in order", () => {
    assert.is(
      line(),
      "396 exchanges | 0.6/s | errors 4.5 % | session 11:42 | bodies 12.2 MB | proxy overhead p95 0.4 ms",
    );
  });

  test("given no exchange so far, the status bar says that the session has not started", () => {
    const none = { sessionStart: null, exchanges: 0, bytes: 0, overheadP95: null, errorRate: null };
    assert.is(line(none), "0 exchanges | session begins with the first request | bodies 0 B");
  });

  test("given a pause or a stopped proxy, says since when, how many requests passed, and what ends it", () => {
    const since = START;
    const told = (change: Partial<Status>, now = since + 60_000) => {
      const bar = idleBarOf(status({ pause: null, ...change }), now as Instant);
      return bar === null ? null : `${bar.text} ${bar.passed}`.trim();
    };
    const minute = sinceText(since, since);
    assert.is(told({}), null);
    assert.is(told({ recording: false }), "Paused. 0 requests passed unrecorded.");
    assert.is(
      told({ recording: false, pause: { since, passed: 66 } }),
      `Paused since ${minute}. 66 requests passed unrecorded.`,
    );
    assert.is(
      told({ recording: false, pause: { since, passed: 1 } }),
      `Paused since ${minute}. 1 request passed unrecorded.`,
    );
    const later = told({ recording: false, pause: { since, passed: 2 } }, since + 3 * 86_400_000);
    assert.match(later ?? "", `Paused since 2023-11-1`);
    const stopped = { ...PROXY, running: false };
    assert.is(told({ proxy: stopped }), "The proxy is stopped. Programs that use it cannot connect.");
    const taken = { ...stopped, problem: "Port 8686 is taken by another program." };
    assert.is(told({ proxy: taken, recording: false }), taken.problem);
    assert.equal(noticesOf(status({ proxy: taken }), summary(), false), [], "it is said once");
    const moved = { ...taken, running: true };
    assert.is(noticesOf(status({ proxy: moved }), summary(), false)[0]?.text, taken.problem);
  });

  test("given a taken port, lost events or forgotten rows, shows a notice for each", () => {
    const notices = noticesOf(
      status({
        proxy: { ...PROXY, port: 8687, wantedPort: 8686 },
        notices: [{ id: "x", severity: "error", text: "Full.", advice: null }],
      }),
      summary({ dropped: 1204, forgotten: 7 }),
      false,
    );
    assert.equal(
      notices.map(({ id, error }) => [id, error]),
      [
        ["x", true],
        ["port", false],
        ["dropped", false],
        ["forgotten", false],
      ],
    );
    assert.match(notices[1]?.text ?? "", /8686.*8687/);
    assert.match(notices[2]?.text ?? "", /1,204/);
    assert.equal(noticesOf(status(), summary(), false), []);
  });

  test("given a stored session on display, leaves out advice about clients of the current session", () => {
    const advice = { host: "a.test", target: null };
    const notices = [
      { id: "x", severity: "error", text: "Full.", advice: null },
      { id: "y", severity: "warning", text: "Rejected.", advice },
    ] as const;
    const ids = (isStored: boolean) => noticesOf(status({ notices }), summary(), isStored).map(({ id }) => id);
    assert.equal([ids(false), ids(true)], [["x", "y"], ["x"]]);
  });

  test("given a dismissed notice, shows it again for another text or session, but not for another count", () => {
    const keys = (text: string, forgotten: number, sessionStart = START) => {
      const notices = [{ id: "x", severity: "error", text, advice: null }] as const;
      return noticesOf(status({ notices }), summary({ forgotten, sessionStart }), false).map(({ key }) => key);
    };
    const [problem, rows] = keys("Full.", 7);
    assert.is(keys("Fuller.", 8)[0] === problem, false);
    assert.is(keys("Full.", 8)[1], rows);
    assert.is(keys("Full.", 8, (START + 1) as Instant)[1] === rows, false, "another session");
  });
});
