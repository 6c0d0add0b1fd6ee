import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Traffic } from "../../../../src/engine/insights/findings/traffic.ts";
import { Recalculation } from "../../../../src/engine/insights/what-if/recalculation.ts";
import type { Gain } from "../../../../src/engine/model/load-gain.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

/** One request of a client's program. `needs`: how many requests back each one is that it waits for. */
interface Task {
  readonly needs: readonly number[];
  readonly pause: number;
  readonly length: number;
  /** The length after the change; `null` if the request is not changed. */
  readonly becomes: number | null;
  /** Whether Weir knows that the request waits for each of `needs`. */
  readonly isKnown: readonly boolean[];
}

const CHANGED = "/changed";

function programOf(isFaster: boolean, isKnown: fc.Arbitrary<boolean>, most = 6): fc.Arbitrary<readonly Task[]> {
  const lengthAfter = ({ length }: { readonly length: number }, change: number) =>
    isFaster ? Math.floor((length * change) / 100) : length + change;
  return fc.array(
    fc
      .record({
        needs: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
        pause: fc.integer({ min: 0, max: 300 }),
        length: fc.integer({ min: 1, max: 900 }),
        change: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
        isKnown: fc.tuple(isKnown, isKnown),
      })
      .map(({ change, ...task }) => ({ ...task, becomes: change === null ? null : lengthAfter(task, change) })),
    { minLength: 1, maxLength: most },
  );
}

/** When each request starts and ends: it pauses after the last of those that it needs. */
function run(
  program: readonly Task[],
  isChanged: boolean,
): readonly { readonly start: number; readonly end: number }[] {
  const ran: { start: number; end: number }[] = [];
  for (const [index, { needs, pause, length, becomes }] of program.entries()) {
    const ready = Math.max(0, ...needs.map((back) => ran[index - back]?.end ?? 0));
    const start = ready + pause;
    ran.push({ start, end: start + (isChanged ? (becomes ?? length) : length) });
  }
  return ran;
}

function endOf(program: readonly Task[], isChanged: boolean): number {
  return Math.max(...run(program, isChanged).map(({ end }) => end));
}

function recorded(program: readonly Task[]): Traffic {
  const scene = new Scene();
  const ran = run(program, false);
  const order = [...program.keys()].sort((one, other) => (ran[one]?.start ?? 0) - (ran[other]?.start ?? 0));
  const ids = new Map<number, ExchangeId>();
  for (const index of order) {
    const { length, becomes } = program[index] as Task;
    const target = becomes === null ? "/kept" : `${CHANGED}/${becomes}`;
    ids.set(index, scene.ask({ at: ran[index]?.start ?? 0, target, server: length, transfer: 0 }));
  }
  for (const [index, { needs, isKnown }] of program.entries()) {
    const to = ids.get(index);
    for (const [position, back] of needs.entries()) {
      const from = ids.get(index - back);
      if (isKnown[position] && from !== undefined && to !== undefined) scene.prove(from, to);
    }
  }
  return scene.traffic();
}

function gainIn({ requests: exchanges, links: index }: Traffic, isChanged = true): Gain {
  const links = exchanges.flatMap(({ id }) => index.provenInto(id));
  return new Recalculation({ exchanges, links }).gain(({ path }) =>
    isChanged && path.startsWith(CHANGED) ? Number(path.split("/")[2]) : null,
  );
}

/** The model counts in whole microseconds. */
const about = (one: number, other: number) => Math.abs(one - other) < 0.01;

describe("what-if recalculation of a unit", (test) => {
  test("given no change, is 0", () => {
    fc.assert(
      fc.property(programOf(true, fc.boolean(), 40), (program) => {
        assert.equal(gainIn(recorded(program), false), { byLinks: 0, atMost: 0 });
      }),
    );
  });

  test("given that every dependency is known, is what the client's program would gain", () => {
    fc.assert(
      fc.property(
        fc.boolean().chain((isFaster) => programOf(isFaster, fc.constant(true))),
        (program) => {
          const { byLinks } = gainIn(recorded(program));
          assert.ok(about(byLinks, endOf(program, false) - endOf(program, true)), `${byLinks}`);
        },
      ),
    );
  });

  test("given dependencies of which some are unknown, a program gains at most what is said", () => {
    fc.assert(
      fc.property(programOf(true, fc.boolean()), (program) => {
        const { byLinks, atMost } = gainIn(recorded(program));
        const truth = endOf(program, false) - endOf(program, true);
        assert.ok(byLinks <= atMost + 0.01, `by links ${byLinks} of ${atMost}`);
        assert.ok(atMost >= truth - 0.01, `at most ${atMost} of ${truth}`);
      }),
    );
  });

  test("given a browser's six connections, is what a page would gain whose resources are all named at once", () => {
    const lengths = fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 100 }), (resources, percent) => {
        const changed = resources.map((length, index) =>
          index % 3 === 0 ? Math.floor((length * percent) / 100) : length,
        );
        const { byLinks } = gainIn(pageOf(resources, changed));
        assert.ok(about(byLinks, lastEnd(resources) - lastEnd(changed)), `${byLinks}`);
      }),
    );
  });
});

const DOCUMENT = 50;

/** When each resource of a page starts: all are named by the document, and six are loaded at once. */
function startsOf(resources: readonly number[]): readonly number[] {
  const free = [DOCUMENT, DOCUMENT, DOCUMENT, DOCUMENT, DOCUMENT, DOCUMENT];
  return resources.map((length) => {
    const start = Math.min(...free);
    free[free.indexOf(start)] = start + length;
    return start;
  });
}

function lastEnd(resources: readonly number[]): number {
  const starts = startsOf(resources);
  return Math.max(...resources.map((length, index) => (starts[index] ?? 0) + length));
}

function pageOf(resources: readonly number[], changed: readonly number[]): Traffic {
  const scene = new Scene();
  const document = scene.ask({ at: 0, server: DOCUMENT, transfer: 0 });
  const starts = startsOf(resources);
  for (const [index, length] of resources.entries()) {
    const becomes = changed[index] ?? length;
    const target = becomes === length ? "/kept" : `${CHANGED}/${becomes}`;
    scene.prove(document, scene.ask({ at: starts[index] ?? 0, target, server: length, transfer: 0 }));
  }
  return scene.traffic();
}
