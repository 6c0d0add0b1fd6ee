import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type CriticalPath,
  criticalPathsIn,
  pathGraphOf,
} from "../../../../src/engine/insights/links/critical-paths.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";
import { rounds } from "../../../support/rounds.ts";

const HTML = ["content-type: text/html"];
const SCRIPT = ["content-type: text/javascript"];

/** The paths, read from a copy of their graph as another thread gets it. */
function pathsIn(talks: readonly Talk[], longPolls: readonly number[] = []) {
  const graph = pathGraphOf(
    factsOf(talks).map(({ facts }) => facts),
    { ...foundIn(talks), longPolls: new Set(longPolls as ExchangeId[]) },
  );
  return criticalPathsIn(structuredClone(graph));
}

function longestIn(talks: readonly Talk[], longPolls?: readonly number[]): CriticalPath | null {
  const paths = pathsIn(talks, longPolls);
  const [longest] = paths.ends;
  return longest === undefined ? null : paths.pathOf(longest);
}

/** "1 283" for an exchange, "gap 160 idle 120" for a gap. */
function textsOf(path: CriticalPath | null): readonly string[] {
  return (path?.parts ?? []).map((part) =>
    part.kind === "gap" ? `gap ${part.to - part.from} idle ${part.idle}` : `${part.id} ${part.to - part.from}`,
  );
}

/** A page that names its script; the script loads another script and then a picture's list. */
const page = ({ at = 0, think = 160, lazy = "" } = {}): Talk[] => [
  {
    at,
    lasts: 283,
    target: "/",
    gives: HTML,
    answer: `<link rel=stylesheet href=/a.css><script src=/app.js></script>${lazy}`,
  },
  { at: at + 283, lasts: 91, target: "/app.js", gives: SCRIPT, answer: 'import("/lazy.js")' },
  { at: at + 283, lasts: 40, target: "/a.css" },
  { at: at + 374 + think, lasts: 400, target: "/lazy.js", gives: SCRIPT, answer: 'fetch("/api/items")' },
  { at: at + 774 + think, lasts: 466, target: "/api/items" },
];

describe("critical paths", (test) => {
  test("given a page, follows what its last response waited for, part by part", () => {
    const path = longestIn(page());
    assert.equal(textsOf(path), ["1 283", "2 91", "gap 160 idle 160", "4 400", "5 466"]);
    assert.equal([path?.isPage, path?.client], [true, factsOf(page())[0]?.facts.exchange.client]);
  });

  test("given others in flight in a gap, calls only the rest of it idle; a long poll does not count", () => {
    const beside = { at: 364, lasts: 60, target: "/beacon" };
    assert.is(textsOf(longestIn([...page(), beside]))[2], "gap 160 idle 110");
    assert.is(textsOf(longestIn([...page(), beside], [6]))[2], "gap 160 idle 160");
  });

  test("given 2 s and more between a cause and its request, goes on unless nothing was in flight meanwhile", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 9_000 }), fc.integer({ min: 0, max: 1_999 }), (think, idle) => {
        const beside = { at: 374, lasts: think - idle, target: "/slow" };
        const ends = (talks: readonly Talk[]) => [0, -1].map((position) => textsOf(longestIn(talks)).at(position));
        assert.equal(ends([...page({ think }), beside]), ["1 283", "5 466"]);
        assert.equal(ends(page({ think })), ["4 400", "5 466"]);
      }),
      { numRuns: rounds(50) },
    );
  });

  test("given others in flight in a gap, names the one that ran for more than half of it, else none", () => {
    const drawn = fc.record({
      at: fc.integer({ min: 284, max: 533 }),
      lasts: fc.integer({ min: 1, max: 400 }),
      kind: fc.constantFrom("own", "another", "stream"),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 3 }), (drawnTalks) => {
        const beside = drawnTalks.map(({ at, lasts, kind }, index): Talk => {
          const client = kind === "another" ? { client: "another" } : {};
          return {
            at,
            lasts,
            target: `/beside/${index}`,
            ...client,
            ...(kind === "stream" ? { tags: ["event-stream"] } : {}),
          };
        });
        const [gap] = (longestIn([...page(), ...beside])?.parts ?? []).flatMap((part) =>
          part.kind === "gap" ? [part] : [],
        );
        const ran = drawnTalks.map(({ at, lasts, kind }) =>
          kind === "own" ? Math.min(at + lasts, 534) - Math.max(at, 374) : 0,
        );
        const most = Math.max(0, ...ran);
        assert.is(gap?.longest === null, most <= 80);
        if (most > 80) assert.is(ran[Number(gap?.longest) - 6], most);
      }),
      { numRuns: rounds(60) },
    );
  });

  /** A page whose script names all that it requests, one after another. */
  const inTurn = (names: readonly string[], { type = "application/json", pause = 5 } = {}): Talk[] => [
    { at: 0, lasts: 100, target: "/", gives: HTML, answer: "<script src=/app.js></script>" },
    { at: 100, lasts: 50, target: "/app.js", gives: SCRIPT, answer: names.map((name) => `fetch("${name}")`).join(";") },
    ...names.map((target, index): Talk => {
      return {
        at: 150 + pause + index * (200 + pause),
        lasts: 200,
        target,
        gives: [`content-type: ${type}`],
        answer: "{}",
      };
    }),
  ];

  test("given a script that requests one URL after another, follows the data that came between, as possible", () => {
    fc.assert(
      // All pauses together are less than a person's gap.
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 240 }), (count, pause) => {
        const names = Array.from({ length: count }, (_, index) => `/api/part-${"abcdefgh"[index]}`);
        const path = longestIn(inTurn(names, { pause }));
        const steps = (path?.parts ?? []).flatMap((part) => (part.kind === "exchange" ? [part] : []));
        assert.equal(
          steps.map(({ id }) => id),
          Array.from({ length: count + 2 }, (_, index) => index + 1),
        );
        assert.equal(
          steps.map(({ isPossible }) => isPossible),
          steps.map((_, index) => index > 2),
        );
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given a longer gap in one load than in another, or a favicon between, has the same steps in each", () => {
    const names = ["/api/first", "/api/second", "/api/third"];
    const [pauses, gaps] = [fc.integer({ min: 1, max: 150 }), fc.integer({ min: 301, max: 1_000 })];
    fc.assert(
      fc.property(pauses, gaps, fc.nat(2), fc.constantFrom(1, 2), fc.nat(250), (pause, gap, slow, after, icon) => {
        const loads = [0, 1, 2].flatMap((load) => {
          const own = [...inTurn(names, { pause }), { at: 260 + icon, lasts: pause, target: "/favicon.ico" }];
          const later = (index: number) => (load === slow && index >= after + 2 && index < 5 ? gap - pause : 0);
          return own.map((talk, index): Talk => ({ ...talk, at: 20_000 * load + talk.at + later(index) }));
        });
        const paths = pathsIn(loads);
        const counts = paths.ends.map(
          (ends) => paths.pathOf(ends)?.parts.filter(({ kind }) => kind === "exchange").length,
        );
        assert.equal(counts, [5, 5, 5]);
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given pictures or a person's pause between, or URLs that also run at once, follows the script that names the URL", () => {
    const names = ["/api/first", "/api/second"];
    const idsOf = (talks: readonly Talk[]) =>
      longestIn(talks)?.parts.flatMap((part) => (part.kind === "exchange" ? [part.id] : []));
    for (const type of ["image/png", "image/svg+xml", "text/css"])
      assert.equal(idsOf(inTurn(names, { type })), [1, 2, 4], type);
    assert.equal(idsOf(inTurn(names, { pause: 400 })), [1, 2, 4]);
    const atOnce = names.map((target): Talk => ({ at: 20_000, lasts: 30, target }));
    assert.equal(idsOf([...inTurn(names), ...atOnce]), [1, 2, 4]);
  });

  test("given a request that began while the one before still came, ends the part there", () => {
    const path = longestIn([
      { at: 0, lasts: 900, ttfb: 100, target: "/", gives: HTML, answer: "<img src=/x.png>" },
      { at: 300, lasts: 800, target: "/x.png" },
    ]);
    assert.equal(textsOf(path), ["1 300", "2 800"]);
  });

  test("given a name known earlier, says by how much at most its request could start sooner", () => {
    assert.equal(longestIn(page())?.sooner, { id: 4, namedBy: 2, by: 160 });
    assert.equal(longestIn(page({ lazy: "<link rel=preload href=/lazy.js>" }))?.sooner, { id: 4, namedBy: 1, by: 251 });
    assert.is(longestIn(page({ think: 20 }))?.sooner, null);
  });

  test("given a name in an earlier page alone, says nothing of it", () => {
    const earlier = page({ at: -20_000, lazy: "<link rel=preload href=/lazy.js>" });
    const paths = pathsIn([...earlier, ...page()]);
    const later = paths.ends.find(({ start }) => start === 0);
    assert.is(later === undefined ? null : paths.pathOf(later)?.sooner?.by, 160);
  });

  test("given an order alone, has no path", () => {
    const orders = ["/a", "/b", "/c"].map((target, index) => ({ at: index * 60, target }));
    assert.is(pathsIn([...orders, ...orders.map((talk) => ({ ...talk, at: talk.at + 9_000 }))]).ends.length, 0);
  });

  test("given a link that a person followed, begins a path with the next page; a redirect goes on", () => {
    const next = (at: number): Talk => ({ at, lasts: 100, target: "/next", gives: HTML, answer: "<img src=/y.png>" });
    const followed = pathsIn([
      { at: 0, target: "/", gives: HTML, answer: '<a href="/next">Next</a><img src=/x.png>' },
      { at: 60, target: "/x.png" },
      next(1_000),
      { at: 1_100, target: "/y.png" },
    ]);
    assert.equal(
      followed.ends.map(({ first, last }) => [first, last]),
      [
        [3, 4],
        [1, 2],
      ],
    );
    const redirected = longestIn([{ at: 0, target: "/old", status: 302, gives: ["location: /next"] }, next(51)]);
    assert.equal([textsOf(redirected), redirected?.isPage], [["1 50", "gap 1 idle 1", "2 100"], true]);
  });

  test("given an exchange, finds the path that it belongs to, else the page that its client had loaded last", () => {
    const talks = [
      ...page(),
      ...page({ at: 5_000 }),
      { at: 1_500, target: "/without-link" },
      { at: 1_500, target: "/other", client: "another" },
      { at: 20_000, target: "/without-parts", gives: HTML },
      { at: 20_100, target: "/of-it" },
    ];
    const paths = pathsIn(talks);
    const startAround = (id: number) => {
      const found = factsOf(talks).find(({ facts }) => facts.exchange.id === id);
      return found === undefined ? null : (paths.endsAround(found.facts.exchange)?.start ?? null);
    };
    assert.equal([3, 8, 11].map(startAround), [0, 5_000, 0]);
    assert.equal([12, 13, 14].map(startAround), [null, null, null]);
  });

  test("given any times, the path's parts add up to its whole length", () => {
    const times = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(times, ([first = 1, second = 1, third = 1, gap = 1, other = 1, late = 1]) => {
        const paths = pathsIn([
          { at: 0, lasts: first, target: "/", gives: HTML, answer: "<script src=/a.js></script>" },
          { at: first, lasts: second, target: "/a.js", gives: SCRIPT, answer: 'import("/b.js")' },
          { at: first + second + gap, lasts: third, target: "/b.js" },
          { at: late, lasts: other, target: "/other" },
        ]);
        const [ends] = paths.ends;
        const path = ends === undefined ? null : paths.pathOf(ends);
        const sum = (path?.parts ?? []).reduce((total, { from, to }) => total + to - from, 0);
        assert.is(sum, first + second + gap + third);
        const between = path?.parts.find(({ kind }) => kind === "gap");
        const begin = first + second;
        const overlap = Math.max(0, Math.min(begin + gap, late + other) - Math.max(begin, late));
        assert.is(between?.kind === "gap" ? between.idle : null, gap - overlap);
        assert.is(between?.kind === "gap" && between.longest, 2 * overlap > gap ? 4 : null);
      }),
    );
  });
});
