import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { clientSharingOf, serverSharingOf } from "../../../../src/engine/session/queries/sharing.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const ALONE = { others: 0, more: false, openedBy: null };

describe("who shares a connection", (test) => {
  test("others are those of the same connection that ran at the same time", () => {
    const session = recorded([
      exchange({ id: 1, start: 0, end: 10, connection: 3, stream: 1, reused: false, target: "/x" }),
      exchange({ id: 2, start: 8, end: 30, connection: 3, stream: 3 }),
      exchange({ id: 3, start: 9, end: 30, connection: 4, stream: 1 }),
      exchange({ id: 4, start: 20, end: 25, connection: 3, stream: 5 }),
      exchange({ id: 5, start: 31, end: 40, connection: 3, stream: 7 }),
      { ...exchange({ id: 6, start: 31, end: 40 }), connection: null, reused: null },
    ]);
    const openedBy = { method: "GET", target: "/x" };
    assert.equal(serverSharingOf(session, 0), { ...ALONE, others: 1 });
    // One ended before the other started.
    assert.equal(serverSharingOf(session, 1), { others: 1, more: false, openedBy });
    assert.equal(serverSharingOf(session, 2), ALONE);
    assert.equal(serverSharingOf(session, 4), { others: 0, more: false, openedBy });
  });

  test("what nothing carried shares nothing", () => {
    const bare = { ...exchange({ id: 1 }), connection: null, reused: null };
    const session = recorded([bare]);
    assert.equal([serverSharingOf(session, 0), clientSharingOf(session, 0)], [null, null]);
  });

  test("the client's connection counts what is in flight too, whatever server it goes to", () => {
    const session = recorded([
      exchange({ id: 1, start: 0, end: null, clientConnection: 2, clientStream: 1 }),
      exchange({ id: 2, start: 5, end: 9, connection: 8, clientConnection: 2, clientStream: 3 }),
      exchange({ id: 3, start: 6, end: 9, connection: 9, clientConnection: 1 }),
    ]);
    assert.equal(clientSharingOf(session, 1), { ...ALONE, others: 1 });
    assert.equal(clientSharingOf(session, 0), { ...ALONE, others: 1 });
    assert.equal(clientSharingOf(session, 2), ALONE);
  });

  test("it is as the plain definition has it, in whatever order heads came in", () => {
    const sketch = fc.record({ start: fc.nat(60), length: fc.nat(20), connection: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 30 }), fc.boolean(), (sketches, inOrder) => {
        const sorted = inOrder ? sketches.toSorted((a, b) => a.start - b.start) : sketches;
        const made = sorted.map(({ start, length, connection }, index) =>
          exchange({ id: index + 1, start, end: start + length, connection, stream: 2 * index + 1 }),
        );
        const session = recorded(made);
        for (const [row, one] of made.entries()) {
          const others = made.filter(
            (each) => each !== one && each.connection === one.connection && overlap(each, one),
          );
          // At each start; the number cannot be larger anywhere else.
          const counts = [one, ...others].map(({ instants }) => {
            const at = Math.max(instants.startTime, one.instants.startTime);
            return others.filter((each) => each.instants.startTime <= at && (each.endTime ?? 0) > at).length;
          });
          assert.equal(serverSharingOf(session, row), { ...ALONE, others: Math.max(...counts) });
        }
      }),
    );
  });

  test("of a long session only a part is looked at, and that is said", () => {
    const made = Array.from({ length: 20_000 }, (_, index) =>
      exchange({ id: index + 1, start: index, end: index + 1.5, connection: 1, stream: 2 * index + 1, reused: true }),
    );
    assert.equal(serverSharingOf(recorded(made), 19_000), { others: 1, more: true, openedBy: null });
    const opened = made.map((one, row) => (row === 15_000 ? { ...one, reused: false, target: "/first" } : one));
    assert.equal(serverSharingOf(recorded(opened), 19_000), {
      others: 1,
      more: false,
      openedBy: { method: "GET", target: "/first" },
    });
  });
});

function overlap(a: Exchange, b: Exchange): boolean {
  return a.instants.startTime < (b.endTime ?? 0) && b.instants.startTime < (a.endTime ?? 0);
}
