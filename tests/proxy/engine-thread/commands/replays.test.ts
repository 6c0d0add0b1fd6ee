import * as assert from "uvu/assert";
import { Replays } from "../../../../extensions/proxy/engine-thread/commands/replays.ts";
import type { FromWorker } from "../../../../extensions/proxy/threads.ts";
import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { ReplayProgress } from "../../../../src/engine/messages/replay-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { type ExchangeSketch, exchange } from "../../../support/exchange.ts";

const REQUEST = { origin: "https://api.test", head: "GET / HTTP/1.1\r\n\r\n", body: new Uint8Array(0) };
const RECORDED = { id: 1, start: 0, end: 900 };

/** Replays over a session that holds the recorded exchange. */
function staged(recorded: ExchangeSketch = RECORDED) {
  const told: FromWorker[] = [];
  const heard: ReplayProgress[] = [];
  const send = (message: FromEngine): void => {
    if (message.type === "replay-progress") heard.push(message);
  };
  let session = new Session();
  const { current } = { current: () => session };
  session.add(exchange(recorded));
  const replays = new Replays({ tell: (message) => told.push(message), current, fixedThreshold: () => null });
  let last = 1;
  return {
    told,
    heard,
    replays,
    send,
    replaceSession: () => {
      session = new Session();
    },
    start: (part: Partial<Extract<Command, { readonly type: "replay" }>> = {}) => {
      const command = {
        type: "replay",
        exchange: 1 as ExchangeId,
        times: 20,
        atOnce: 1,
        confirmed: false,
        ...part,
      } as const;
      const source = { exchange: exchange(recorded), request: () => REQUEST, shown: current };
      return replays.start(command, source, send).replayNumber;
    },
    /** One replay, reported and then folded, or the other way round. */
    replay: (run: number, sketch: ExchangeSketch, foldedFirst = false) => {
      last += 1;
      const fold = () => session.add(exchange({ ...sketch, id: last, start: last * 1_000, tags: ["resent"] }));
      if (foldedFirst) fold();
      replays.replayed(run, last as ExchangeId);
      replays.tick();
      if (!foldedFirst) fold();
      return last * 1_000;
    },
  };
}

const lasting = (ms: number, id: number) => ({ start: id * 1_000, end: id * 1_000 + ms });

describe("replay runs", (test) => {
  test("given repeats that end in any order, it reports their figures beside the recorded ones, and a verdict at the end", () => {
    const stage = staged();
    const run = stage.start();
    assert.equal(stage.told, [{ type: "replay", run, request: REQUEST, times: 20, atOnce: 1 }]);
    for (let index = 0; index < 20; index += 1) stage.replay(run, lasting(50 + index, index + 2), index % 2 === 0);
    stage.replays.tick();
    assert.ok(stage.heard.every(({ done, result }) => !done && result.verdict === null));
    stage.replays.sent(run, null);
    stage.replays.tick();
    const last = stage.heard.at(-1);
    assert.equal([last?.done, last?.problem, last?.replayNumber], [true, null, run]);
    assert.equal(last?.result.verdict, { kind: "not-now", slow: 0, count: 20, beside: 0 });
    assert.equal(last?.result.recorded, { count: 1, p50: 900, p95: 900, least: 900, most: 900 });
    assert.equal([last?.result.ended, last?.result.otherwise, last?.result.latency], [20, 0, 900]);
    const { p95, ...figures } = last?.result.replays ?? { p95: 0 };
    assert.equal(figures, { count: 20, p50: 59.5, least: 50, most: 69 });
    assert.ok(Math.abs(p95 - 68.05) < 1e-9);
    assert.ok((last?.result.distributions?.from ?? 0) <= 50);
    stage.replays.tick();
    assert.is(stage.heard.at(-1), last);
  });

  test("given repeats with another status or none, they are in no figure but counted", () => {
    const stage = staged();
    const run = stage.start({ times: 4 });
    stage.replay(run, lasting(10, 2), true);
    stage.replay(run, { ...lasting(1, 3), status: 429 }, true);
    const outcome = { kind: "failed", errorType: "server-reset", detail: "", status: null } as const;
    stage.replay(run, { ...lasting(1, 4), outcome }, true);
    stage.replays.sent(run, "The repeats ended early: the proxy is stopped.");
    stage.replays.tick();
    const last = stage.heard.at(-1);
    assert.equal([last?.done, last?.problem], [true, "The repeats ended early: the proxy is stopped."]);
    assert.equal([last?.result.ended, last?.result.otherwise, last?.result.replays?.count], [3, 2, 1]);
    assert.equal(last?.result.verdict?.kind === "unknown" && last.result.verdict.doubt, "answered-otherwise");
  });

  test("given fast repeats alone and slow ones at once, the second run says that the others are the cause", () => {
    const stage = staged();
    const alone = stage.start();
    for (let index = 0; index < 20; index += 1) stage.replay(alone, lasting(50 + index, index + 2), true);
    stage.replays.sent(alone, null);
    stage.replays.tick();
    const atOnce = stage.start({ atOnce: 100 });
    assert.equal(stage.told.at(-1), { type: "replay", run: atOnce, request: REQUEST, times: 20, atOnce: 20 });
    for (let index = 0; index < 20; index += 1) stage.replay(atOnce, lasting(900 + index, index + 22), true);
    stage.replays.sent(atOnce, null);
    stage.replays.tick();
    assert.equal(stage.heard.at(-1)?.result.verdict, { kind: "beside-others", basis: "repeats" });
  });

  test("given a stop, a lost window, another run or another session, the data thread is told to stop, once", () => {
    for (const end of ["cancel", "gone", "again", "session"] as const) {
      const stage = staged();
      const run = stage.start();
      if (end === "cancel") stage.replays.cancel(run, stage.send);
      if (end === "gone") stage.replays.cancelFor(stage.send);
      if (end === "again") stage.start();
      if (end === "session") stage.replaceSession();
      stage.replays.tick();
      stage.replays.cancel(run, stage.send);
      const stops = stage.told.filter(({ type }) => type === "stop-replays");
      assert.equal(stops, [{ type: "stop-replays", run }], end);
      const last = stage.heard.find(({ replayNumber, done }) => replayNumber === run && done);
      const problem = end === "session" ? "The repeats ended: another session is shown or recorded now." : null;
      assert.is(last?.problem, problem, end);
    }
  });

  test("given a stop by another window, refuses it, and the run goes on", () => {
    const stage = staged();
    const run = stage.start();
    assert.throws(() => stage.replays.cancel(run, () => {}), /^Another window started these repeats\./);
    stage.replays.tick();
    assert.is(stage.told.length, 1);
    assert.ok(stage.heard.every(({ done }) => !done));
  });

  test("given what cannot be repeated, it throws why, and sends nothing", () => {
    for (const [recorded, part, problem] of [
      [{ end: null }, {}, /^This request has not ended yet\./],
      [{ ...RECORDED, tags: ["event-stream"] }, {}, /^This is a stream/],
      [{ ...RECORDED, tags: ["websocket"], status: 101 }, {}, /^This is a stream/],
      [{ ...RECORDED, method: "POST" }, {}, /^POST may change data on the server/],
    ] as const) {
      const stage = staged(recorded);
      assert.throws(() => stage.start(part), problem);
      assert.equal(stage.told, []);
    }
    const stage = staged({ ...RECORDED, method: "POST" });
    stage.start({ confirmed: true });
    assert.is(stage.told.length, 1);
  });
});
