import * as assert from "uvu/assert";
import type { Question, Reply } from "../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { AnalysisThread, type AnalysisWorker } from "../../../extensions/proxy/engine-thread/analysis-thread.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { withStored } from "../../support/stored.ts";

const QUESTION: Question = {
  part: "where",
  chainGap: 300,
  until: Number.POSITIVE_INFINITY as Instant,
  exchanges: 1,
  rowCap: 1_000,
  baseline: [],
  grouping: null,
  wantsPartial: false,
};

const PAIR = [{ sketch: { id: 1, end: 50 } }, { sketch: { id: 2, start: 60, end: 90 } }];

const MINUTE = 60_000;

describe("analysis thread", (test) => {
  test("given a question, starts and answers; ends five minutes after the last one, and starts again", () =>
    withStored(PAIR, async ({ reader }) => {
      let time = 0;
      const thread = new AnalysisThread({ start: () => startOf(reader), onTrouble: unexpected, now: () => time });
      assert.not.ok(thread.isRunning);
      assert.is(exchangesIn(await thread.ask(QUESTION)), 2);
      time += 4 * MINUTE;
      thread.use();
      time += 4 * MINUTE;
      await thread.endIfUnused();
      assert.ok(thread.isRunning);
      time += MINUTE;
      await thread.endIfUnused();
      assert.not.ok(thread.isRunning);
      assert.is(exchangesIn(await thread.ask(QUESTION)), 2);
      await thread.endThread();
    }));

  test("given the end of its session while it computes, ends, and answers nothing more", () =>
    withStored(PAIR, async ({ reader }) => {
      const thread = new AnalysisThread({ start: () => startOf(reader), onTrouble: unexpected });
      const asked = thread.ask(QUESTION);
      await thread.endThread();
      assert.is(await asked, null);
      assert.is(await thread.ask(QUESTION), null);
      assert.not.ok(thread.isRunning);
    }));

  test("given a thread that fails, says why, and is started again after a pause that grows", () =>
    withStored(PAIR, async ({ reader }) => {
      let time = 0;
      let spawned = 0;
      const troubles: (string | null)[] = [];
      const thread = new AnalysisThread({
        start: () => startOf(reader),
        onTrouble: (trouble) => troubles.push(trouble),
        now: () => time,
        spawn: () => {
          spawned += 1;
          return spawned < 3 ? failing("out of memory") : answering();
        },
      });
      assert.is(await thread.ask(QUESTION), null);
      time += 999;
      assert.is(await thread.ask(QUESTION), null);
      assert.is(spawned, 1);
      time += 1;
      assert.is(await thread.ask(QUESTION), null);
      time += 1_999;
      await thread.ask(QUESTION);
      assert.is(spawned, 2);
      time += 1;
      assert.is(exchangesIn(await thread.ask(QUESTION)), 7);
      assert.equal(troubles, ["out of memory", "out of memory", null]);
      await thread.endThread();
    }));

  test("given a folder without a session, says that, and the engine goes on", async () => {
    const troubles: (string | null)[] = [];
    const thread = new AnalysisThread({
      start: () => ({ folder: "/nonexistent/weir", wasCutOff: false, endedAt: null }),
      onTrouble: (trouble) => troubles.push(trouble),
    });
    assert.is(await thread.ask(QUESTION), null);
    assert.is(troubles.length, 1);
  });

  test("given the same grouping again, sends it once to each worker", async () => {
    const sent: unknown[] = [];
    const thread = new AnalysisThread({
      start: () => ({ folder: "", wasCutOff: false, endedAt: null }),
      onTrouble: unexpected,
      spawn: () => answering((question) => sent.push(question.grouping)),
    });
    const grouping = { rules: [], folds: [] };
    await thread.ask({ ...QUESTION, grouping });
    await thread.ask({ ...QUESTION, grouping });
    await thread.ask({ ...QUESTION, grouping: null });
    await thread.ask({ ...QUESTION, grouping: null });
    assert.equal(sent, [grouping, undefined, null, undefined]);
    await thread.endThread();
  });
});

function startOf({ folder }: SessionReader) {
  return { folder, wasCutOff: false, endedAt: null };
}

function exchangesIn(reply: Reply | null): number | null {
  return reply?.part === "where" ? reply.records.exchanges : null;
}

function unexpected(trouble: string | null): void {
  throw new Error(trouble ?? "no failure to recover from");
}

/** A worker that calls `answer` with each question, and with the listeners. */
function workerOf(
  answer: (question: Question & { readonly number: number }, emit: (event: string, value?: unknown) => void) => void,
): AnalysisWorker {
  const listeners = new Map<string, (value: unknown) => void>();
  return {
    postMessage: (question) =>
      setImmediate(() => answer(question as never, (event, value) => listeners.get(event)?.(value))),
    on: (event: string, listener: unknown) => void listeners.set(event, listener as (value: unknown) => void),
    unref: () => {},
    terminate: async () => {},
  };
}

function failing(why: string): AnalysisWorker {
  return workerOf((_, emit) => {
    emit("error", new Error(why));
    emit("exit");
  });
}

/** A worker that answers that there were seven exchanges. */
function answering(onQuestion: (question: Question) => void = () => {}): AnalysisWorker {
  return workerOf((question, emit) => {
    onQuestion(question);
    const records = { exchanges: 7 };
    emit("message", { number: question.number, part: "where", records, progress: 1, isFinal: true, isSettled: true });
  });
}
