import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Walk, type WalksFound, walksOf } from "../../../../src/engine/insights/links/walks.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";

function foundWalks(talks: readonly Talk[], longPolls: readonly number[] = []): WalksFound {
  const facts = factsOf(talks).map((one) => one.facts);
  return walksOf(facts, { ...foundIn(talks), longPolls: new Set(longPolls as ExchangeId[]) });
}

function walksIn(talks: readonly Talk[]): readonly Walk[] {
  return foundWalks(talks).walks;
}

const pathsOf = ({ longest }: Walk) => longest.steps.map(({ endpoint }) => endpoint.path);

/** Three requests in sequence, each of 50 ms, from `at` on. */
const inTurn = (at: number, pause = 10): Talk[] =>
  ["/a", "/b", "/c"].map((target, index) => ({ at: at + index * (50 + pause), target }));

describe("repeated request sequences (walks)", (test) => {
  test("given the same sequence several times, lists it once with its count and median", () => {
    const [walk, ...rest] = walksIn([...inTurn(0), ...inTurn(5_000, 30), ...inTurn(10_000, 20)]);
    assert.is(rest.length, 0);
    assert.equal([walk?.count, walk?.median, walk?.longest.duration, walk?.longest.clientTime], [3, 190, 210, 60]);
    assert.equal(walk && pathsOf(walk), ["/a", "/b", "/c"]);
  });

  test("given a pause for which Retry-After asked, distinguishes it from the client's own", () => {
    const refused = { at: 0, target: "/rates", status: 429, gives: ["retry-after: 1"] };
    const [walk] = walksIn([refused, { at: 1_050, target: "/rates" }]);
    assert.equal([walk?.longest.clientTime, walk?.longest.retryAfterTime], [0, 1_000]);
  });

  test("given others in flight between two steps, counts only the rest as the client's own", () => {
    const redirected: Talk[] = [
      { at: 0, target: "/old", status: 302, gives: ["location: /new"] },
      { at: 610, target: "/new" },
    ];
    const ownBeside = (beside: Partial<Talk>, longPolls: readonly number[] = []) => {
      const { walks } = foundWalks([...redirected, { at: 20, lasts: 499, target: "/s2.css", ...beside }], longPolls);
      return walks[0]?.longest.clientTime;
    };
    assert.is(ownBeside({}), 91);
    assert.is(ownBeside({ client: "another" }), 560);
    assert.is(ownBeside({ tags: ["event-stream"] }), 560);
    assert.is(ownBeside({}, [3]), 560);
  });

  test("given a proof over a pause of two seconds, ends the chain there", () => {
    const talk = (at: number): Talk[] => [
      { at: 0, target: "/first", gives: ["content-type: application/json"], answer: '{"id":"9f8e7d6c5b"}' },
      { at, target: "/second?id=9f8e7d6c5b" },
    ];
    assert.equal(walksIn(talk(2_049)).map(pathsOf), [["/first", "/second"]]);
    assert.equal(walksIn(talk(2_050)), []);
  });

  test("given a proof over a long gap, ends the chain only if nothing was in flight for two seconds of it", () => {
    const time = (min: number, max: number) => fc.integer({ min, max });
    fc.assert(
      fc.property(time(0, 10_000), time(400, 4_000), (busy, idle) => {
        const walks = walksIn([
          { at: 0, target: "/first", gives: ["content-type: application/json"], answer: '{"id":"9f8e7d6c5b"}' },
          { at: 10, lasts: 40 + busy, target: "/beside" },
          { at: 50 + busy + idle, target: "/second?id=9f8e7d6c5b" },
        ]);
        assert.equal(walks.map(pathsOf), idle < 2_000 ? [["/first", "/second"]] : []);
      }),
    );
  });

  test("given several that were waited for, goes back to the last to finish", () => {
    const gave = (id: string) => ({ gives: ["content-type: application/json"], answer: JSON.stringify({ id }) });
    const walks = walksIn([
      { at: 0, lasts: 40, target: "/sizes", ...gave("9f8e7d6c5b") },
      { at: 0, lasts: 140, target: "/colors", ...gave("1a2b3c4d5e") },
      { at: 150, method: "POST", target: "/variants", body: '{"size":"9f8e7d6c5b","color":"1a2b3c4d5e"}' },
    ]);
    assert.equal(walks.map(pathsOf), [["/colors", "/variants"]]);
  });

  test("given several that waited for one, goes on with the last to end", () => {
    const walks = walksIn([
      {
        at: 0,
        target: "/list",
        gives: ["content-type: application/json"],
        answer: '[{"id":"9f8e7d6c5b"},{"id":"1a2b3c4d5e"}]',
      },
      { at: 60, lasts: 300, target: "/x?id=9f8e7d6c5b" },
      { at: 60, lasts: 100, target: "/y?id=1a2b3c4d5e" },
    ]);
    assert.equal(walks.map(pathsOf), [["/list", "/x"]]);
  });

  test("given several walks, lists proven walks first, then by total time", () => {
    const proven: Talk[] = [
      { at: 20_000, lasts: 5, target: "/old", status: 302, gives: ["location: /new"] },
      { at: 20_006, lasts: 5, target: "/new" },
    ];
    const other: Talk[] = [
      { at: 30_000, lasts: 400, target: "/d" },
      { at: 30_410, lasts: 900, target: "/e" },
    ];
    assert.equal(walksIn([...inTurn(0), ...inTurn(5_000), ...proven, ...other]).map(pathsOf), [
      ["/old", "/new"],
      ["/d", "/e"],
      ["/a", "/b", "/c"],
    ]);
  });

  test("given order links, estimates a saving only from three links of some length on", () => {
    const chain = (lasts: number, count: number): Talk[] =>
      Array.from({ length: count }, (_, index) => ({ at: index * (lasts + 5), lasts, target: `/${"abcdef"[index]}` }));
    assert.is(walksIn(chain(100, 4))[0]?.couldSave, 315);
    assert.is(walksIn(chain(100, 3))[0]?.couldSave, null);
    assert.is(walksIn(chain(20, 6))[0]?.couldSave, null);
  });

  test("given a proof among order links, counts only what is in a run of three", () => {
    const chain = (proofAt: number): Talk[] =>
      Array.from({ length: 6 }, (_, index) => ({
        at: index * 105,
        lasts: 100,
        target: index === proofAt ? "/go/9f8e7d6c5b" : `/${"abcdef"[index]}`,
        ...(index === proofAt - 1 ? { status: 302, gives: ["location: /go/9f8e7d6c5b"] } : {}),
      }));
    const [first] = walksIn(chain(1));
    assert.equal([first?.longest.links.length, first?.couldSave], [5, 420]);
    assert.is(walksIn(chain(3))[0]?.couldSave, null);
  });

  test("given a repeated walk, returns for each exchange its walk and the link from the previous exchange", () => {
    const { positions: places } = foundWalks([...inTurn(0), ...inTurn(5_000)]);
    assert.equal(
      [...places].map(([id, { walk, link }]) => [id, walk, link?.from ?? null]),
      [
        [1, 0, null],
        [2, 0, 1],
        [3, 0, 2],
        [4, 0, null],
        [5, 0, 4],
        [6, 0, 5],
      ],
    );
  });

  test("given any exchanges, puts each into at most one walk and joins only linked exchanges", () => {
    const talk = fc.record({
      at: fc.integer({ min: 0, max: 4_000 }),
      lasts: fc.integer({ min: 1, max: 200 }),
      target: fc.constantFrom("/a", "/b", "/c", "/d", "/e", "/f", "/g"),
    });
    fc.assert(
      fc.property(fc.array(talk, { maxLength: 30 }), (talks) => {
        const seen = new Set<number>();
        for (const { longest } of walksIn(talks)) {
          assert.is(longest.links.length, longest.steps.length - 1);
          for (const [index, { id }] of longest.steps.entries()) {
            assert.not.ok(seen.has(id));
            seen.add(id);
            const link = longest.links[index - 1];
            if (link !== undefined) assert.equal([link.from, link.to], [longest.steps[index - 1]?.id, id]);
          }
        }
      }),
    );
  });
});
