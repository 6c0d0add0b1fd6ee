import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Link } from "../../../src/engine/model/link.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { LinkedSession } from "../../../src/engine/report/linked-session.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { simulatedExperiment } from "../../support/simulated-experiments.ts";
import { withStored } from "../../support/stored.ts";

const WINDOW = 300;

function linkedIn(session: Session, reader: SessionReader, until: () => number): LinkedSession {
  return new LinkedSession({ session, reader, window: WINDOW, until: () => until() as Instant });
}

async function readIdsOf(linked: LinkedSession): Promise<readonly number[]> {
  await linked.read();
  return linked.facts.map((facts) => facts.exchange.id);
}

function linksOf(linked: LinkedSession): readonly string[] {
  return namedAs(linked.links().links);
}

function namedAs(links: readonly Link[]): readonly string[] {
  return links.map(({ from, to, basis, evidence }) => `${from} ${to} ${basis} ${evidence.value}`).toSorted();
}

/** An exchange's start events, and its other events. */
function halvesOf(made: ReturnType<typeof exchange>): readonly [readonly CaptureEvent[], readonly CaptureEvent[]] {
  const [start, ...rest] = eventsOf(made);
  return [start === undefined ? [] : [start], rest];
}

const TARGETS = ["/a", "/b", "/c", "/d"];

describe("linked session", (test) => {
  test("given exchanges that are captured by and by, finds the links of one that reads them at once", async () => {
    const sketch = fc.record({ gap: fc.integer({ min: 0, max: 400 }), lasts: fc.integer({ min: 1, max: 300 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(sketch, { minLength: 2, maxLength: 25 }), fc.nat(25), (sketches, part) =>
        withStored([{ sketch: { id: 1, start: 0, end: 20 } }], async ({ session, reader }) => {
          let at = 50;
          const made = sketches.map(({ gap, lasts }, index) => {
            at += gap;
            return exchange({ id: index + 2, start: at, end: at + lasts, target: TARGETS[index % 4] ?? "/" });
          });
          // When one part is read, later ones have not started, and some may be in flight.
          let now = made[part]?.instants.startTime ?? Number.POSITIVE_INFINITY;
          const linked = linkedIn(session, reader, () => now);
          const [early, late] = [made.slice(0, part), made.slice(part)];
          for (const one of early)
            session.apply(one.endTime === null || one.endTime < now ? eventsOf(one) : halvesOf(one)[0]);
          await readIdsOf(linked);
          linksOf(linked);
          for (const one of early) if (one.endTime !== null && one.endTime >= now) session.apply(halvesOf(one)[1]);
          for (const one of late) session.apply(eventsOf(one));
          now = Number.POSITIVE_INFINITY;
          await readIdsOf(linked);
          assert.ok(linked.isSettled);
          const { links } = await linkedFactsOf(session, reader, WINDOW);
          assert.equal(linksOf(linked), namedAs(links));
        }),
      ),
      { numRuns: rounds(20) },
    );
  });

  test("given one in flight, waits for it for a while, then passes it over and reads it when it has ended", () =>
    withStored([{ sketch: { id: 1, start: 0, end: 20 } }], async ({ session, reader }) => {
      let now = 1_000;
      const linked = linkedIn(session, reader, () => now);
      const [start, end] = halvesOf(exchange({ id: 2, start: 100, end: 9_000 }));
      session.apply(start);
      session.apply(eventsOf(exchange({ id: 3, start: 200, end: 300 })));
      assert.equal(await readIdsOf(linked), [1]);
      assert.not.ok(linked.isSettled);
      now = 6_000;
      assert.equal(await readIdsOf(linked), [1, 3]);
      assert.not.ok(linked.hasUnlinked);
      session.apply(end);
      assert.equal(await readIdsOf(linked), [1, 3, 2]);
      assert.ok(linked.hasUnlinked);
    }));

  test("given one in flight, knows the facts of later ones that have ended, and each once", () =>
    withStored([{ sketch: { id: 1, start: 0, end: 20 } }], async ({ session, reader }) => {
      let now = 1_000;
      const linked = linkedIn(session, reader, () => now);
      const aheadIds = () => linked.ahead.map(({ exchange: { id } }) => id);
      const [start, end] = halvesOf(exchange({ id: 2, start: 100, end: 1_500 }));
      session.apply(start);
      session.apply(eventsOf(exchange({ id: 3, start: 200, end: 300 })));
      session.apply(halvesOf(exchange({ id: 4, start: 400, end: 900 }))[0]);
      assert.equal([await readIdsOf(linked), aheadIds()], [[1], [3]]);
      session.apply(end);
      now = 2_000;
      assert.equal([await readIdsOf(linked), aheadIds()], [[1, 2, 3], []]);
    }));

  test("given a stream that ends late, has nothing to link again", () =>
    withStored([{ sketch: { id: 1, start: 0, end: 20 } }], async ({ session, reader }) => {
      let now = 1_000;
      const linked = linkedIn(session, reader, () => now);
      const [start, end] = halvesOf(exchange({ id: 2, start: 100, end: 9_000, tags: ["event-stream"] }));
      session.apply(start);
      await readIdsOf(linked);
      now = 10_000;
      await readIdsOf(linked);
      session.apply(end);
      assert.equal(await readIdsOf(linked), [1, 2]);
      assert.not.ok(linked.hasUnlinked);
    }));

  test("given what began a moment ago, waits for events that may be late", () =>
    withStored([{ sketch: { id: 1, start: 950, end: 960 } }], async ({ session, reader }) => {
      let now = 1_000;
      const linked = linkedIn(session, reader, () => now);
      assert.equal(await readIdsOf(linked), []);
      now = 1_050;
      assert.equal(await readIdsOf(linked), [1]);
    }));

  test("given a full table, begins with the latest rows, and reports when they are evicted", () =>
    withStored(
      [1, 2, 3, 4].map((id) => ({ sketch: { id, start: id * 100, end: id * 100 + 20 } })),
      async ({ session, reader }) => {
        session.setRowCap(4);
        session.apply(eventsOf(exchange({ id: 5, start: 500, end: 520 })));
        const linked = linkedIn(session, reader, () => Number.POSITIVE_INFINITY);
        assert.equal(await readIdsOf(linked), [3, 4, 5]);
        assert.is(linked.leftOut, 1);
        session.apply(eventsOf(exchange({ id: 6, start: 600, end: 620 })));
        assert.not.ok(linked.isOutgrown);
        session.apply(eventsOf(exchange({ id: 7, start: 700, end: 720 })));
        assert.ok(linked.isOutgrown);
      },
    ));

  test("given an experiment that ended, links by what it found, also in a session that is opened later", () => {
    const conversation = [0, 1, 2].flatMap((load) => {
      const at = 10_000 * load;
      return [
        { sketch: { id: 3 * load + 1, target: "/prices", start: at, end: at + 40 } },
        { sketch: { id: 3 * load + 2, target: "/needs", start: at + 45, end: at + 50 } },
        { sketch: { id: 3 * load + 3, target: "/timer", start: at + 45, end: at + 60 } },
      ];
    });
    return withStored(conversation, async ({ session, reader, capture }) => {
      const linked = linkedIn(session, reader, () => Number.POSITIVE_INFINITY);
      await linked.read();
      const shown = (links: readonly Link[]) => links.map(({ from, to, basis }) => `${from}>${to} ${basis}`).toSorted();
      const needs = ["1>2", "4>5", "7>8"];
      const timer = ["1>3", "4>6", "7>9"];
      assert.equal(shown(linked.links().links), [...needs, ...timer].map((pair) => `${pair} order`).toSorted());

      const endpoint = (path: string) => `GET https://api.test${path}`;
      const { ended } = simulatedExperiment(
        7,
        [
          { endpoint: endpoint("/needs"), follows: 1, asked: 1 },
          { endpoint: endpoint("/timer"), follows: 0, asked: 1 },
        ],
        { target: endpoint("/prices") },
      );
      capture([{ type: "experiment-ended", at: 40_000 as Instant, experiment: ended }]);
      const opened = SessionReader.open(reader.folder);
      if (!opened.ok) throw new Error(opened.problem);
      const later = new Session();
      for (const event of opened.value.events(false)) later.apply([event]);
      const again = await linkedFactsOf(later, opened.value, WINDOW);
      opened.value.close();
      for (const { links, refuted } of [linked.links(), again]) {
        assert.equal(
          shown(links),
          needs.map((pair) => `${pair} experiment`),
        );
        assert.equal(
          shown(refuted),
          timer.map((pair) => `${pair} order`),
        );
        for (const { kind, evidence } of links) {
          assert.is(kind, "proven");
          assert.match(evidence.value, /^starts later by the delay: each ms costs \S+ ms, \S+ to \S+, 30 loads$/);
        }
        for (const { evidence } of refuted)
          assert.equal(
            [evidence.source, evidence.value],
            ["refuted by experiment", "starts no later with the delay, 30 loads"],
          );
      }
    });
  });
});
