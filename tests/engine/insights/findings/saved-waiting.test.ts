import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { removed, savedWaiting } from "../../../../src/engine/insights/findings/saved-waiting.ts";
import type { Traffic } from "../../../../src/engine/insights/findings/traffic.ts";
import { waitingOf } from "../../../../src/engine/insights/findings/waiting.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

/** One request of a client's program: the client pauses, then asks. `isGone`: whether the request is to go away. */
const call = fc.record({
  pause: fc.integer({ min: 0, max: 40 }),
  length: fc.integer({ min: 10, max: 200 }),
  isGone: fc.boolean(),
});
type Call = typeof call extends fc.Arbitrary<infer One> ? One : never;

/** A step of a program: its calls run together, and the next step waits for all of them. */
const step = fc.record({
  pause: fc.integer({ min: 0, max: 400 }),
  calls: fc.array(call, { minLength: 1, maxLength: 6 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const steps = fc.array(step, { minLength: 1, maxLength: 12 });

const GONE = "/gone";

/** Runs a program whose steps wait for each other; `isMended`: without the calls that are to go away. */
function runOfSteps(program: readonly Step[], isMended: boolean): Scene {
  const scene = new Scene();
  let now = 0;
  for (const { pause, calls } of program) {
    const begin = now + pause;
    now = begin;
    for (const [connection, { length, isGone }] of calls.entries()) {
      const taken = isMended && isGone ? 0 : length;
      ask(scene, begin, { length: taken, isGone, connection });
      now = Math.max(now, begin + taken);
    }
  }
  return scene;
}

/** Runs workers of one client, each of which sends its calls one after another over a connection of its own. */
function runOfWorkers(workers: readonly (readonly Call[])[], isMended: boolean): Scene {
  const scene = new Scene();
  for (const [index, calls] of workers.entries()) {
    let now = index / 7;
    for (const { pause, length, isGone } of calls) {
      now += pause / 10;
      const taken = isMended && isGone ? 0 : length;
      ask(scene, now, { length: taken, isGone, connection: index });
      now += taken;
    }
  }
  return scene;
}

function ask(scene: Scene, at: number, asked: { length: number; isGone: boolean; connection: number }): void {
  const { length, isGone, connection } = asked;
  scene.ask({ at, target: isGone ? GONE : "/kept", server: length, transfer: 0, clientConnection: connection });
}

function goneIn(traffic: Traffic) {
  return traffic.requests.filter(({ path }) => path === GONE);
}

describe("saved waiting without some requests", (test) => {
  test("given steps that wait for each other, it is what the same program waits less without the requests", () => {
    fc.assert(
      fc.property(steps, (program) => {
        const traffic = runOfSteps(program, false).traffic();
        const truth = traffic.totals.waiting - runOfSteps(program, true).traffic().totals.waiting;
        assert.ok(Math.abs(savedWaiting(traffic, removed(goneIn(traffic))) - truth) < 1e-6);
      }),
    );
  });

  test(
    "given workers side by side, it is within 30 % of the truth in 8 of 10 draws",
    () => {
      const workers = fc.array(fc.array(call, { minLength: 60, maxLength: 60 }), { minLength: 2, maxLength: 8 });
      const ratios = fc.sample(workers, 40).map((program) => {
        const traffic = runOfWorkers(program, false).traffic();
        const truth = traffic.totals.waiting - runOfWorkers(program, true).traffic().totals.waiting;
        return savedWaiting(traffic, removed(goneIn(traffic))) / truth;
      });
      assert.ok(ratios.filter((ratio) => Math.abs(ratio - 1) <= 0.3).length >= 32, String(ratios));
    },
    { isLong: true },
  );

  test("given any requests and lengths, it is between 0 and the time taken away from them", () => {
    const any = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 300 }),
        length: fc.integer({ min: 0, max: 80 }),
        client: fc.constantFrom("a", "b"),
        to: fc.option(fc.integer({ min: -10, max: 120 })),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(any, (list) => {
        const scene = new Scene();
        for (const { at, length, client } of list) scene.ask({ at, client, server: length, transfer: 0 });
        const traffic = scene.traffic();
        const lengths = new Map(
          traffic.requests.flatMap((one) => {
            const to = list[one.id - 1]?.to ?? null;
            return to === null ? [] : [[one, to] as const];
          }),
        );
        const gone = [...lengths].map(([{ client, start, end }, to]) => ({
          client,
          start: Math.min(end, start + Math.max(0, to)),
          end,
        }));
        const saved = savedWaiting(traffic, lengths);
        assert.ok(saved >= 0 && saved <= waitingOf(gone));
      }),
    );
  });

  test("given a request that provably needs the one that goes away, it starts earlier, whatever else ended since", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 200 }), fc.boolean(), (length, isProven) => {
        const scene = new Scene();
        ask(scene, 0, { length, isGone: true, connection: 1 });
        ask(scene, 1, { length: length - 2, isGone: false, connection: 2 });
        ask(scene, length, { length: 300, isGone: false, connection: 3 });
        const [first, , last] = scene.traffic().requests;
        if (isProven && first !== undefined && last !== undefined) scene.prove(first.id, last.id);
        const traffic = scene.traffic();
        assert.is(savedWaiting(traffic, removed(goneIn(traffic))), isProven ? length : 2);
      }),
    );
  });

  test("given a longer request beside the one that goes away, it is 0", () => {
    const scene = new Scene();
    ask(scene, 0, { length: 300, isGone: false, connection: 1 });
    ask(scene, 100, { length: 50, isGone: true, connection: 2 });
    const traffic = scene.traffic();
    assert.is(savedWaiting(traffic, removed(goneIn(traffic))), 0);
  });
});
