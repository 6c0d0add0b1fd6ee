import * as assert from "uvu/assert";
import { ReadTurn } from "../../../../../extensions/proxy/data-thread/network/sockets/read-turn.ts";
import { describe } from "../../../../support/describe.ts";

/** A socket whose turn of reading takes `cost` milliseconds a piece, while there are pieces. */
class Source {
  readonly destroyed = false;
  reads = 0;
  #isPaused = false;

  isPaused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }
}

const FULL = 64 * 1024;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads 32 pieces of every source that is not paused, as libuv does in one turn; returns how long that took. */
function readAll(sources: readonly Source[], turn: ReadTurn, clock: { now: number }, cost: number): number {
  const begin = clock.now;
  for (const source of sources) {
    for (let piece = 0; piece < 32 && !source.isPaused(); piece += 1) {
      clock.now += cost;
      source.reads += 1;
      turn.delivered(source, FULL);
    }
  }
  return clock.now - begin;
}

describe("read turn", (test) => {
  test("given 300 fast sources, a turn lasts a piece of each at first, then a share, and all are read equally", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const sources = Array.from({ length: 300 }, () => new Source());
    const turns: number[] = [];
    for (let count = 0; count < 400; count += 1) {
      turns.push(readAll(sources, turn, clock, 1));
      await nextTurn();
    }
    assert.ok((turns[0] ?? 0) < 32 + 300, `first turn: ${turns[0]}`);
    assert.ok(Math.max(...turns.slice(2)) <= 40, `later turns: ${Math.max(...turns.slice(2))}`);
    const reads = sources.map((source) => source.reads);
    assert.ok(Math.max(...reads) - Math.min(...reads) <= 12, `reads: ${Math.min(...reads)} to ${Math.max(...reads)}`);
  });

  test("given one fast source, it is never paused", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const source = new Source();
    for (let count = 0; count < 10; count += 1) {
      readAll([source], turn, clock, 0.15);
      assert.not(source.isPaused());
      await nextTurn();
    }
    assert.is(source.reads, 320);
  });

  test("given a source that was paused for its reader, leaves it paused", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const source = new Source();
    turn.delivered(source, FULL);
    clock.now = 100;
    source.pause();
    turn.delivered(source, FULL);
    await nextTurn();
    assert.ok(source.isPaused());
  });

  test("given small pieces, pauses nothing", () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const source = new Source();
    turn.delivered(source, FULL);
    clock.now = 100;
    turn.delivered(source, 1_000);
    assert.not(source.isPaused());
  });

  test("given a source that gets another owner, resumes it at once and never again", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const source = new Source();
    turn.delivered(source, FULL);
    clock.now = 100;
    turn.delivered(source, FULL);
    assert.ok(source.isPaused());
    turn.forget(source);
    assert.not(source.isPaused());
    source.pause();
    await nextTurn();
    assert.ok(source.isPaused());
  });

  test("given 40 readers with endless work, each turn works for one short share, and all get the same", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const steps = Array.from({ length: 40 }, () => 0);
    let isOver = false;
    const read = (index: number): void => {
      const slice = turn.slice();
      while (!slice.isOver) {
        clock.now += 0.1;
        steps[index] = (steps[index] ?? 0) + 1;
      }
      if (!isOver) turn.later(() => read(index));
    };
    const turns: number[] = [];
    steps.forEach((_, index) => {
      read(index);
    });
    for (let count = 0; count < 800; count += 1) {
      const begin = clock.now;
      await nextTurn();
      turns.push(clock.now - begin);
    }
    isOver = true;
    assert.ok(Math.max(...turns) < 3, `longest turn: ${Math.max(...turns)}`);
    assert.ok(Math.min(...steps.slice(1)) > 10, "each reader works");
    assert.ok(Math.max(...steps.slice(1)) <= 2 * Math.min(...steps.slice(1)), steps.join(" "));
  });

  test("given a turn that is used up, a message of six steps still ends in it, and a longer one waits", async () => {
    const clock = { now: 0 };
    const turn = new ReadTurn(() => clock.now);
    const first = turn.slice();
    while (!first.isOver) clock.now += 0.1;
    for (let readers = 0; readers < 10; readers += 1) {
      const slice = turn.slice();
      const steps = Array.from({ length: 7 }, () => slice.isOver);
      assert.equal(steps, [false, false, false, false, false, false, true]);
    }
    await nextTurn();
    const next = turn.slice();
    for (let step = 0; step < 7; step += 1) assert.not(next.isOver);
  });
});
