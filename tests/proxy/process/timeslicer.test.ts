import { EventEmitter, once } from "node:events";
import * as assert from "uvu/assert";
import { Activity, commandPause, ThrottledJob, Timeslicer } from "../../../extensions/proxy/process/timeslicer.ts";
import { describe } from "../../support/describe.ts";

const BUSY = { isBusy: () => true };

/** A job that ends when the test says so. */
function staged() {
  const stage = new EventEmitter();
  const log: string[] = [];
  const work = async (): Promise<void> => {
    log.push("begun");
    stage.emit("begun");
    await once(stage, "end");
    log.push("ended");
    stage.emit("ended");
  };
  return { stage, log, work };
}

describe("timeslicer", (test) => {
  test("given a long command, its pauses let signals and other events run", async () => {
    let isHeard = false;
    setImmediate(() => {
      isHeard = true;
    });
    let steps = 0;
    const pause = commandPause();
    for (; !isHeard && steps < 50_000_000; steps += 1) await pause();
    assert.ok(isHeard, `not within ${steps} steps`);
  });

  test("given 20 ms of work, a pause lets waiting callbacks run", async () => {
    const slicer = new Timeslicer();
    work(20);
    assert.ok(await gaveWay(slicer));
  });

  test("given a slice that has just begun, a pause returns at once", async () => {
    for (const rested of [false, true]) {
      let isAway = true;
      // If the machine is slow at this moment, the next attempt is not.
      for (let tries = 0; isAway && tries < 100; tries += 1) {
        const slicer = new Timeslicer(0);
        if (rested) {
          work(10);
          await slicer.pause();
        }
        isAway = await gaveWay(slicer);
      }
      assert.not(isAway, rested ? "after a pause" : "at first");
    }
  });
});

describe("activity meter", (test) => {
  test("given a change within the last second, is busy; given no such change, is not busy", () => {
    let [state, now] = [0, 0];
    const activity = new Activity(
      () => state,
      () => now,
    );
    const seen = (change: boolean, at: number) => {
      state += Number(change);
      now = at;
      return activity.isBusy();
    };
    assert.equal([seen(false, 999), seen(false, 1_000), seen(true, 5_000)], [true, false, true]);
    assert.equal(
      [seen(false, 5_999), seen(true, 5_999), seen(false, 6_998), seen(false, 6_999)],
      [true, true, true, false],
    );
  });
});

describe("throttled jobs", (test) => {
  test("given a job without a request, does not run it", async () => {
    const { log, work: done } = staged();
    new ThrottledJob(done, BUSY);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(log, []);
  });

  test("given five requests before a run begins, runs once", async () => {
    const { stage, log, work: done } = staged();
    const job = new ThrottledJob(done, BUSY);
    for (let asked = 0; asked < 5; asked += 1) job.schedule();
    await held(once(stage, "begun"));
    stage.emit("end");
    await once(stage, "ended");
    assert.equal(log, ["begun", "ended"]);
  });

  test("given requests during a run, runs once more after it, not beside it", async () => {
    const { stage, log, work: done } = staged();
    const job = new ThrottledJob(done, BUSY);
    job.schedule();
    await held(once(stage, "begun"));
    job.schedule();
    job.schedule();
    // A job requested later: a second run of the first would have started before it.
    const other = staged();
    new ThrottledJob(other.work, BUSY).schedule();
    await held(once(other.stage, "begun"));
    other.stage.emit("end");
    assert.equal(log, ["begun"]);
    stage.emit("end");
    await held(once(stage, "begun"));
    assert.equal(log, ["begun", "ended", "begun"]);
    stage.emit("end");
    await once(stage, "ended");
    job.schedule();
    await held(once(stage, "begun"));
    assert.equal(log, ["begun", "ended", "begun", "ended", "begun"]);
    stage.emit("end");
  });

  test("given a first request, runs at once; given a second, cools down first", async () => {
    const order = new EventEmitter();
    const log: string[] = [];
    const named = (name: string) => {
      return new ThrottledJob(async () => {
        log.push(name);
        order.emit(name);
      }, BUSY);
    };
    const [again, first] = [named("again"), named("first")];
    again.schedule();
    await held(once(order, "again"));
    again.schedule();
    const rested = once(order, "again");
    first.schedule();
    await held(rested);
    assert.equal(log, ["again", "first", "again"]);
  });

  test("given a cool-down, ends it early if nothing else is busy", async () => {
    const order = new EventEmitter();
    const log: string[] = [];
    const named = (name: string, isBusy: boolean) => {
      let isFirst = true;
      return new ThrottledJob(
        async () => {
          log.push(name);
          order.emit(name);
          if (isFirst) await once(order, "worked");
          isFirst = false;
        },
        { isBusy: () => isBusy },
      );
    };
    const [busy, quiet] = [named("busy", true), named("quiet", false)];
    const begun = ["busy", "quiet"].map((name) => once(order, name));
    busy.schedule();
    quiet.schedule();
    await held(Promise.all(begun));
    work(1_000);
    order.emit("worked");
    const rested = once(order, "busy");
    busy.schedule();
    quiet.schedule();
    await held(rested);
    assert.equal(log.slice(2), ["quiet", "busy"]);
  });

  test("given a run that fails, runs again at the next request", async () => {
    const stage = new EventEmitter();
    let runs = 0;
    const job = new ThrottledJob(async () => {
      runs += 1;
      stage.emit("begun");
      if (runs === 1) throw new Error("no such disk");
    }, BUSY);
    const failed = once(process, "unhandledRejection");
    job.schedule();
    await held(failed);
    job.schedule();
    await held(once(stage, "begun"));
    assert.is(runs, 2);
  });
});

/** Whether queued work was done during a pause. */
async function gaveWay(slicer: Timeslicer): Promise<boolean> {
  let isDone = false;
  const waiting = setImmediate(() => {
    isDone = true;
  });
  await slicer.pause();
  clearImmediate(waiting);
  return isDone;
}

/** Blocks the thread for this many milliseconds. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** A job's cool-down keeps no process alive, so a test that waits for one needs a timer. */
async function held<Result>(waiting: Promise<Result>): Promise<Result> {
  const alive = setInterval(() => {}, 1_000);
  try {
    return await waiting;
  } finally {
    clearInterval(alive);
  }
}
