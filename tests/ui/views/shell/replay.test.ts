import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ReplayProgress } from "../../../../src/engine/messages/replay-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { ReplayReport, Replays } from "../../../../src/ui/state/replays.ts";
import type { Selection } from "../../../../src/ui/state/selection.ts";
import type { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import { replayDialog } from "../../../../src/ui/views/shell/replay.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

/** The dialog, opened for an exchange with that method. */
function opened(method: string) {
  const started: Command[] = [];
  const log: string[] = [];
  const focused: string[] = [];
  let report: (report: ReplayReport) => void = () => {};
  const replays = {
    start: (command: Command, listener: typeof report) => {
      started.push(command);
      report = listener;
      return { stop: () => log.push("stop"), drop: () => log.push("drop") };
    },
  } as unknown as Replays;
  const detail = { exchange: exchange({ method, target: "/orders" }), responseHead: null };
  const windows = {
    value: (_: unknown, draw: () => void) => {
      queueMicrotask(draw);
      return { value: detail, close: () => log.push("unsubscribe") };
    },
  } as unknown as SubscriptionStore;
  const chosen: object[] = [];
  const selection = { set: (change: object) => chosen.push(change) } as unknown as Selection;
  let wish: (exchange: ExchangeId) => void = () => {};
  const dialog = {
    showModal: () => log.push("open"),
    close: () => {
      log.push("close");
      view.onClose();
    },
  };
  const view = Object.assign(
    replayDialog({ windows, selection }, replays, (listener) => {
      wish = listener;
    }),
    {
      $root: { closest: () => dialog } as unknown as HTMLElement,
      $refs: Object.fromEntries(
        ["start", "stop"].map((name) => [
          name,
          { focus: () => focused.push(name), matches: () => focused.at(-1) === name } as unknown as HTMLElement,
        ]),
      ),
      $nextTick: (run: () => void) => run(),
    },
  );
  view.init();
  wish(1 as ExchangeId);
  return {
    view,
    started,
    log,
    chosen,
    focused,
    report: (one: ReplayReport) => report(one),
    ready: Promise.resolve(),
  };
}

const progress = (done: boolean, problem: string | null = null): ReplayReport => ({
  kind: "progress",
  progress: {
    type: "replay-progress",
    replayNumber: 1,
    done,
    problem,
    result: {
      times: 20,
      atOnce: 1,
      ended: 5,
      otherwise: 0,
      latency: 900,
      slowFrom: 600,
      recorded: null,
      replays: null,
      distributions: null,
      verdict: done ? { kind: "always", slow: 20, count: 20 } : null,
    },
  } satisfies ReplayProgress,
});

describe("dialog for repeating a request", (test) => {
  test("given a safe method, it starts at once, shows what comes, and reads the verdict aloud", async () => {
    const { view, started, report, ready, focused } = opened("GET");
    await ready;
    assert.equal([view.subject?.method, view.times, view.atOnce, view.startText], ["GET", "20", "1", "Start"]);
    view.start();
    assert.equal(started, [{ type: "replay", exchange: 1, times: 20, atOnce: 1, confirmed: false }]);
    report(progress(false));
    assert.equal([view.running, view.result?.progressText, view.announcement], [true, "5 of 20", ""]);
    report(progress(true, "The repeats ended early: the proxy is stopped."));
    assert.equal([view.running, view.problem], [false, "The repeats ended early: the proxy is stopped."]);
    assert.match(view.announcement, /^Always slow\. /);
    assert.equal(focused, ["stop", "start"]);
  });

  test("given any other method, it asks first, and again once a number is changed", async () => {
    const { view, started, ready } = opened("DELETE");
    await ready;
    view.times = "1";
    view.start();
    assert.equal([started.length, view.startText], [0, "Repeat DELETE"]);
    assert.is(view.question, "DELETE may change data on the server. Repeat the request 1 time?");
    view.times = "2";
    view.edit();
    view.start();
    assert.equal([started.length, view.question.slice(-27)], [0, "Repeat the request 2 times?"]);
    view.start();
    assert.equal(started, [{ type: "replay", exchange: 1, times: 2, atOnce: 1, confirmed: true }]);
  });

  test("given numbers out of bounds or no numbers, it says which, and starts nothing", async () => {
    const { view, started, ready } = opened("GET");
    await ready;
    for (const times of ["0", "1001", "1.5", "-1", "", "many"]) {
      view.times = times;
      view.start();
      assert.is(view.timesProblem, "Enter a whole number from 1 to 1000.", times);
    }
    view.times = " 1000 ";
    view.atOnce = "101";
    view.start();
    assert.equal([view.timesProblem, view.atOnceProblem], ["", "Enter a whole number from 1 to 100."]);
    assert.equal(started, []);
  });

  test("given a refusal, it says why; given a stop, the run ends and stays; closed, it is dropped", async () => {
    const { view, log, report, chosen, ready } = opened("GET");
    await ready;
    view.start();
    report({ kind: "failed", problem: "The proxy is stopped." });
    assert.equal([view.running, view.problem], [false, "The proxy is stopped."]);
    view.start();
    view.stop();
    view.showReplays();
    assert.equal(log, ["open", "stop", "close", "drop", "unsubscribe"]);
    assert.equal(chosen, [
      { view: "traffic", filter: 'tag:resent endpoint:"GET https://api.test/orders"', exchange: null },
    ]);
  });
});
