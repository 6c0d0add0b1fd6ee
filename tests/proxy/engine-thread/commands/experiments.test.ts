import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Experiments, experimentTargetOf } from "../../../../extensions/proxy/engine-thread/commands/experiments.ts";
import type { FromWorker } from "../../../../extensions/proxy/threads.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { Assignment } from "../../../../src/engine/insights/experiment/assignment.ts";
import { verdictOf } from "../../../../src/engine/insights/experiment/verdict.ts";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { EndedExperiment, ExperimentUnit } from "../../../../src/engine/model/experiment.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { type ExchangeSketch, exchange } from "../../../support/exchange.ts";
import { HeldClock } from "../../../support/held-clock.ts";
import { rounds } from "../../../support/rounds.ts";
import { seeded } from "../../../support/seeded.ts";

type StartExperiment = Extract<Command, { readonly type: "start-experiment" }>;

const COMMAND: StartExperiment = {
  type: "start-experiment",
  target: "GET /held",
  client: null,
  levels: [0, 100, 300],
  units: 30,
  confirmed: false,
};

/**
 * Experiments over a session in which GET and POST /held were recorded, and a client of known dependence. `perLook`:
 * how many ms pass with each look at the clock.
 */
function staged(seed: number, perLook = 0) {
  const clock = new HeldClock();
  const random = seeded(seed);
  const told: FromWorker[] = [];
  const ended: EndedExperiment[] = [];
  let session = new Session();
  const record = (events: readonly CaptureEvent[]) => session.apply(events);
  for (const [index, method] of ["GET", "POST"].entries())
    record(eventsOf(exchange({ id: index + 1, method, target: "/held", end: 10 })));
  const experiments = new Experiments({
    tell: (message) => void told.push(message),
    clock: {
      now: () => {
        clock.pass(perLook);
        return clock.now();
      },
    },
    current: () => session,
    onEnd: (one) => void ended.push(one),
  });
  const draws = new Assignment(COMMAND.levels, random);
  let [ids, units] = [2, 0];
  const send = () => {};
  return {
    experiments,
    told,
    ended,
    send,
    clock,
    replaceSession: () => {
      session = new Session();
    },
    start: (part: Partial<StartExperiment> = {}) => experiments.start({ ...COMMAND, ...part }, send),
    /** A unit whose second request starts `share` of the level later than it would. */
    unit: (share: number, { isFailed = false, ahead = 0 } = {}) => {
      const draw = draws.next();
      units += 1;
      const start = clock.now() + ahead;
      const next = 40 + 20 * random() + share * draw.level;
      for (const [target, at] of [
        ["/held", 0],
        ["/next", next],
      ] as const) {
        ids += 1;
        const isTarget = target === "/held";
        const made = exchange({
          id: ids,
          target,
          start: start + at,
          end: start + at + 10,
          tags: ["unit"],
          ...(isFailed && isTarget ? { status: 500 } : {}),
        });
        const [started, ...rest] = eventsOf(made) as [CaptureEvent, ...CaptureEvent[]];
        const [block, level] = isTarget ? [draw.block, draw.level] : [null, null];
        const { id, instants } = made;
        const events: CaptureEvent[] = [
          ...[started, { type: "unit-joined", id, unit: units, block, level } as const],
          ...(isTarget ? [{ type: "response-held", id, at: instants.startTime, level: draw.level } as const] : []),
          ...rest,
        ];
        record(events);
        experiments.addEvents(events);
      }
      if (ahead === 0) clock.pass(60_000);
      experiments.tick();
      return { draw, next };
    },
  };
}

describe("experiment runs", (test) => {
  for (const [share, kind] of [
    [1, "on-path"],
    [0, "not-on-path"],
  ] as const)
    test(`given a client that ${share === 1 ? "waits" : "does not wait"}, ends with ${kind}, at the number at the latest`, () =>
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const stage = staged(seed);
          stage.start();
          const target = { method: "GET", origin: "https://api.test", path: "/held", operation: null };
          assert.equal(stage.told, [{ type: "start-experiment", target, client: null, levels: COMMAND.levels }]);
          for (let index = 0; index < 30 && stage.experiments.state?.result === null; index += 1) {
            assert.equal([stage.experiments.state.counted, stage.experiments.state.leftOut], [index, 0]);
            stage.unit(share);
          }
          const state = stage.experiments.state;
          assert.equal([state?.result?.end, state?.result?.verdict.kind, state?.unit], ["enough", kind, "walk"]);
          const [ended] = stage.ended;
          assert.equal([stage.ended.length, ended?.target, ended?.end], [1, target, "enough"]);
          assert.is(ended?.verdict, state?.result?.verdict);
          assert.is(ended?.units.length, state?.counted);
          assert.equal(ended?.later, ["GET https://api.test/next"]);
          assert.is(stage.told.filter(({ type }) => type === "end-experiment").length, 1);
        }),
        { numRuns: rounds(5) },
      ));

  test("given a verdict before the last unit, keeps it, though another unit ends meanwhile", () =>
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0, 1), (seed, share) => {
        // Each look at the clock takes a minute, and each unit ends just after the look that follows it.
        const stage = staged(seed, 60_000);
        stage.start();
        const units: ExperimentUnit[] = [];
        while (stage.experiments.state?.result === null) {
          const { draw, next } = stage.unit(share, { ahead: 59_000 });
          const starts = new Map([["GET https://api.test/next", next]]);
          units.push({ ...draw, leftOut: null, duration: next + 10, starts });
        }
        const plan = { levels: COMMAND.levels, units: COMMAND.units };
        const { kind, units: counted, leftOut } = verdictOf(units.slice(0, -1), plan, false) ?? {};
        const { verdict } = stage.experiments.state?.result ?? {};
        assert.equal([verdict?.kind, verdict?.units, verdict?.leftOut], [kind, counted, leftOut]);
        assert.is(stage.experiments.state?.counted, units.length - 1);
      }),
      { numRuns: rounds(5) },
    ));

  test("given a unit that is left out, another one gets its draw, and the verdict says how many there were", () => {
    const stage = staged(1);
    stage.start();
    const { draw } = stage.unit(1, { isFailed: true });
    assert.equal(
      stage.told.filter(({ type }) => type === "draw-again"),
      [{ type: "draw-again", draw }],
    );
    stage.experiments.endBy("stopped");
    assert.is(stage.experiments.state?.result?.verdict.leftOut.failed, 1);
  });

  const ends: readonly [string, (stage: ReturnType<typeof staged>) => void, string][] = [
    ["a stop", ({ experiments }) => experiments.endBy("stopped"), "stopped"],
    ["a lost window", ({ experiments, send }) => experiments.endFor(send), "window-gone"],
    ["another session", (stage) => stage.replaceSession(), "session"],
    ["no loads for 10 minutes", ({ experiments }) => experiments.endBy("time"), "time"],
  ];
  for (const [title, end, reason] of ends)
    test(`given ${title}, ends the experiment in the data thread once, with an unknown verdict`, () => {
      const stage = staged(2);
      stage.start();
      end(stage);
      stage.experiments.tick();
      stage.experiments.endBy("stopped");
      const { result } = stage.experiments.state ?? {};
      assert.equal(stage.ended, []);
      assert.equal([result?.end, result?.verdict.kind], [reason, "unknown"]);
      assert.match(result?.text ?? "", /^Can't tell: 0 walks/);
      assert.is(stage.told.filter(({ type }) => type === "end-experiment").length, 1);
    });

  test("given another window that closes, the experiment goes on", () => {
    const stage = staged(3);
    stage.start();
    stage.experiments.endFor(() => {});
    assert.is(stage.experiments.state?.result, null);
  });

  test("given what cannot be started, says why, and holds nothing", () => {
    const stage = staged(4);
    assert.throws(() => stage.start({ target: "GET /none" }), /has no request to GET \/none/);
    assert.throws(() => stage.start({ client: "nobody" }), /No client of this session is called “nobody”/);
    assert.throws(() => stage.start({ levels: [5, 5, 5] }), /levels are equal/);
    assert.throws(() => stage.start({ target: "POST /held" }), /POST may change data/);
    assert.equal(stage.told, []);
    stage.start({ target: "POST /held", confirmed: true });
    assert.throws(() => stage.start(), /An experiment is running/);
  });
});

function recorded(sketches: readonly ExchangeSketch[]): Session {
  const session = new Session(undefined, new PathTemplates());
  for (const [index, sketch] of sketches.entries()) session.add(exchange({ end: 10, ...sketch, id: index + 1 }));
  return session;
}

function found(text: string, ...sketches: readonly ExchangeSketch[]): string {
  const target = experimentTargetOf(text, recorded(sketches));
  return target.ok ? `${target.value.method} ${target.value.origin}${target.value.path}` : target.problem;
}

describe("experiment target", (test) => {
  test("given a recorded endpoint, finds it by its path and by its URL; queries do not matter", () =>
    fc.assert(
      fc.property(fc.constantFrom("GET", "POST"), fc.constantFrom("/v1/prices", "/a/b"), (method, path) => {
        const sketch = { method, origin: "https://api.test", target: `${path}?x=1` };
        const whole = `${method} https://api.test${path}`;
        assert.is(found(`${method} ${path}`, sketch), whole);
        assert.is(found(whole, sketch), whole);
      }),
    ));

  test("given a template, finds it", () => {
    const sketches = [1, 2, 3].map((id) => ({ target: `/items/${id}` }));
    assert.is(found("GET /items/{id}", ...sketches), "GET https://api.test/items/{id}");
  });

  test("given two servers with the path, asks for a URL", () => {
    const problem = found("GET /x", { target: "/x" }, { target: "/x", origin: "http://other.test" });
    assert.match(problem, /^2 servers have GET \/x\. Name one by its URL, such as "GET http/);
  });

  test("given a text that is no endpoint, an unknown one, a stream or an operation, says what to do", () => {
    assert.match(found("prices"), /is no endpoint/);
    assert.match(found("GET /v1/none", { target: "/v1/some" }), /has no request to GET \/v1\/none/);
    assert.match(found("GET /s", { target: "/s", tags: ["event-stream"] }), /no whole response/);
    assert.match(found("POST /g", { method: "POST", target: "/g", operation: "Cart" }), /operations/);
  });
});
