import * as assert from "uvu/assert";
import { probeOf } from "../../../../src/engine/hub/probe.ts";
import { python } from "../../../../src/engine/hub/targets/python.ts";
import { IDLE, type Watch, type WatchEvent, watch } from "../../../../src/engine/hub/watcher.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { RING_LENGTH, testBoxOf } from "../../../../src/ui/views/hub/test-lines.ts";
import { describe } from "../../../support/describe.ts";
import { rejectedTunnel, requestStarted } from "../../../support/probe-event.ts";
import { NOON, UNTESTED } from "./hub-state.ts";

const at = (ms: number): Instant => (NOON + ms) as Instant;

function after(...events: readonly WatchEvent[]): Watch {
  const run: WatchEvent = { type: "run", at: at(0), probe: probeOf(python, "probe.weir.test", 8686) };
  return [run, ...events].reduce(watch, IDLE);
}

const boxOf = (state: Watch, secondsLeft = 0) => testBoxOf({ ...UNTESTED, watch: state, secondsLeft }, python);
const rejected = rejectedTunnel(1, at(2_000), "client-rejected-certificate");
const seen: readonly WatchEvent[] = rejected.map((event) => ({ type: "captured", event }));

describe("test box of the Setup Hub", (test) => {
  test("given no test so far, shows no box", () => {
    assert.is(boxOf(IDLE), null);
  });

  test("given a waiting test, shows the request, the seconds left and their share of the ring", () => {
    const box = boxOf(after(), 15);
    assert.equal([box?.waiting, box?.title, box?.seconds], [true, "Waiting for the request", "15"]);
    assert.is(box?.request, "GET https://probe.weir.test/anything/weir/python");
    assert.is(Number(box?.ringOffset), RING_LENGTH / 2);
    assert.equal(
      box?.lines.map(({ text }) => text),
      ["Test started"],
    );
    assert.is(box?.fix, "");
  });

  test("given passing seconds, changes the announcement for assistive technology every ten seconds", () => {
    assert.is(boxOf(after(), 21)?.announcement, boxOf(after(), 30)?.announcement);
    assert.is.not(boxOf(after(), 20)?.announcement, boxOf(after(), 21)?.announcement);
  });

  test("given several events, lists them in order, with the fix of the latest", () => {
    const captured: WatchEvent = { type: "captured", event: requestStarted({ id: 3, at: at(4_000) }) };
    const waiting = boxOf(after(...seen), 20);
    assert.match(waiting?.fix ?? "", "exported file");
    const box = boxOf(after(...seen, captured));
    assert.equal(
      box?.lines.map(({ mark, text }) => [mark, text]),
      [
        ["info", "Test started"],
        ["error", "A client reached the proxy but rejected the certificate"],
        ["check", "Request captured"],
      ],
    );
    assert.match(box?.text ?? "", "does not identify which app");
  });

  test("given an event that occurs again, treats it as the latest and shows its fix", () => {
    const inClear = requestStarted({ id: 5, at: at(3_000), origin: "http://probe.weir.test" });
    const again = rejectedTunnel(6, at(4_000), "client-rejected-certificate");
    const events: readonly WatchEvent[] = [inClear, ...again].map((event) => ({ type: "captured", event }));
    assert.match(boxOf(after(...seen, ...events.slice(0, 1)))?.fix ?? "", "Request the https URL");
    assert.match(boxOf(after(...seen, ...events))?.fix ?? "", "exported file");
  });

  test("given a captured request that the probe host did not answer, counts it as captured and says why", () => {
    const captured = after({ type: "captured", event: requestStarted({ id: 3, at: at(4_000) }) });
    const unanswered = "The server refused the connection (ECONNREFUSED).";
    const box = testBoxOf({ ...UNTESTED, watch: captured, unanswered }, python);
    assert.is(box?.title, "Captured");
    assert.match(box?.text ?? "", `although the probe host did not respond: ${unanswered}`);
    assert.is(box?.fix, "");
  });

  test("given a request to the probe host for another path, lists it as information, not as an error", () => {
    const other = requestStarted({ id: 4, at: at(4_000), target: "/anything/weir/ruby" });
    const lines = boxOf(after({ type: "captured", event: other }))?.lines ?? [];
    assert.is(lines[1]?.mark, "info");
    assert.match(lines[1]?.text ?? "", "A client requested the probe host");
    assert.is(lines[1]?.detail, "It requested GET /anything/weir/ruby.");
  });

  test("given a probe after the time limit, says that it was seen and keeps the ended test's lines", () => {
    const late = after(...seen, { type: "tick", at: at(30_000) });
    const boxWith = (moment: number | null) =>
      testBoxOf(
        { ...UNTESTED, watch: late, seen: moment === null ? null : { at: at(moment), exchange: null } },
        python,
      );
    assert.match(boxWith(null)?.title ?? "", "rejected the certificate");
    const box = boxWith(35_000);
    assert.is(box?.title, "Not in the test's time, but the probe was seen");
    assert.equal(
      box?.lines.slice(-2).map(({ mark, text }) => [mark, text]),
      [
        ["error", "Time is up"],
        ["check", "Probe seen"],
      ],
    );
    assert.is(box?.fix, "");
  });

  test("given a test without a request, says so, and when the probe was seen before this test", () => {
    const late = after({ type: "tick", at: at(30_000) });
    const box = testBoxOf({ ...UNTESTED, watch: late, seen: { at: at(-60_000), exchange: null } }, python);
    assert.is(box?.title, "No request was seen yet");
    assert.match(box?.text ?? "", / Probe seen at 12:29:00, before this test\.$/);
  });

  test("given a stopped or failed test, says why without naming an internal state", () => {
    const stopped = boxOf(after({ type: "cancel", at: at(1_000), cause: "recording-paused" }));
    assert.is(stopped?.text, "Recording was paused while the test waited.");
    const late = boxOf(after({ type: "tick", at: at(30_000) }));
    assert.match(late?.fix ?? "", "a network that can reach the probe host");
    for (const box of [stopped, late])
      assert.not.match(JSON.stringify(box), /\b(idle|watching|confirmed|cancelled|timed out)\b/i);
  });
});
