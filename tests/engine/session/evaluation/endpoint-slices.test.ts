import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { EndpointSlices, type SliceForm } from "../../../../src/engine/session/evaluation/endpoint-slices.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { interleaved } from "../../../support/interleaved.ts";
import { rounds } from "../../../support/rounds.ts";

const { endpoint } = exchange({ target: "/users" });
const grouped = exchange({ target: "/items/{id}" }).endpoint;

const IDS: SliceForm<number[]> = {
  empty: () => [],
  add: (ids, row, table) => {
    ids.push(table.ids.at(row));
  },
};

/** The listed rows that have ended and count, by slices of that length. */
function plainly(session: Session, of: string, length: number): readonly { at: number; figures: number[] }[] {
  const { table, summary } = session;
  const start = summary.start ?? 0;
  const slices = new Map<number, number[]>();
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    if (table.endpointAt(row) !== of || !table.countsAt(row)) continue;
    const at = start + Math.floor((table.instants.startAt(row) - start) / length) * length;
    slices.set(at, [...(slices.get(at) ?? []), table.ids.at(row)]);
  }
  return [...slices].sort(([a], [b]) => a - b).map(([at, figures]) => ({ at, figures }));
}

function sorted(slices: ReturnType<EndpointSlices<number[]>["read"]>) {
  return slices.map(({ at, figures }) => ({ at, figures: figures.toSorted((a, b) => a - b) }));
}

describe("time slices of an endpoint", (test) => {
  test("given any additions, evictions and regroupings, holds the ended exchanges of the list", () => {
    const sketch = fc.record({
      start: fc.nat(9_000),
      latency: fc.nat(500),
      target: fc.constantFrom("/items/7", "/users", "/users", "/users?page=2"),
      tags: fc.constantFrom([], [], [], ["probe" as const]),
      isInFlight: fc.nat(9).map((dice) => dice === 0),
    });
    const sketches = fc.array(sketch, { minLength: 60, maxLength: 60 });
    const draws = fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 60, maxLength: 60 });
    const caps = fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(sketches, draws, caps, fc.integer({ min: 1, max: 40 }), (drawn, order, [cap, later], every) => {
        const exchanges = drawn.map(({ start, latency, isInFlight, ...rest }, index) =>
          exchange({ id: index + 1, start, end: isInFlight ? null : start + latency, ...rest }),
        );
        const session = new Session(cap);
        const pairs = [endpoint, grouped].map((of) => ({ of, kept: new EndpointSlices(IDS) }));
        for (const [index, event] of interleaved(exchanges.map(eventsOf), order).entries()) {
          if (index === 80) session.setRowCap(later);
          if (index === 110) session.regroup(new PathTemplates());
          session.apply([event]);
          if (index % every > 0) continue;
          for (const { of, kept } of pairs) {
            assert.equal(sorted(kept.read(session, of)), plainly(session, of, kept.length));
            const whole = session.table.lastStart - (session.summary.start ?? 0);
            assert.ok(whole < 40 * kept.length && (kept.length === 1_000 || whole >= 20 * kept.length));
          }
        }
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given another session, holds nothing of the previous one", () => {
    const kept = new EndpointSlices(IDS);
    for (const ids of [
      [1, 2, 3],
      [4, 5],
    ]) {
      const session = new Session();
      for (const id of ids) session.add(exchange({ id, target: "/users", start: 10 * id, end: 10 * id + 1 }));
      assert.equal(
        kept.read(session, endpoint).flatMap(({ figures }) => figures),
        ids,
      );
    }
  });

  test("given an exchange that started before all others but arrives last, moves the slices", () => {
    const session = new Session();
    const kept = new EndpointSlices(IDS);
    for (const start of [5_000, 7_500, 1_000]) {
      session.add(exchange({ id: session.exchanges + 1, target: "/users", start }));
      kept.read(session, endpoint);
    }
    assert.equal(sorted(kept.read(session, endpoint)), [
      { at: 1_000, figures: [3] },
      { at: 5_000, figures: [1] },
      { at: 7_000, figures: [2] },
    ]);
  });
});
