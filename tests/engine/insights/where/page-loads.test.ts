import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import { type LoadedAt, loadsOf, pageLoadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { PageLoad } from "../../../../src/engine/model/where.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";
import { rounds } from "../../../support/rounds.ts";

const HTML = ["Content-Type: text/html"];
const LEFT = { kind: "failed", errorType: "client-aborted", detail: "", status: null } as const;
const OPENED = ["Sec-Fetch-Dest: document"];

/** A page that names a script, which names an image. Ends 400 ms after its start. */
const page = (at: number, sends: readonly string[] = OPENED): readonly Talk[] => [
  { at, lasts: 100, target: "/home", sends, gives: HTML, answer: '<script src="/app.js"></script>' },
  {
    at: at + 110,
    lasts: 50,
    target: "/app.js",
    gives: ["Content-Type: text/javascript"],
    answer: 'load("/hero-image-1.webp")',
    initiators: ["https://api.test/home"],
  },
  { at: at + 200, lasts: 200, target: "/hero-image-1.webp", initiators: ["https://api.test/app.js"] },
];

describe("page load paths", (test) => {
  test("given a page, its path leads from the document to the last response, with the gaps", () => {
    const [load] = loadsIn(page(1_000));
    assert.equal([load?.start, load?.duration], [1_000, 400]);
    assert.equal(pathOf(load), ["/home 0+100 ttfb", "/app.js 10+50 ttfb", "/hero-image-1.webp 40+200 ttfb"]);
  });

  test("given what the browser requests for itself beside a page, it belongs to no load", () => {
    const [ACCEPT, NONE] = ["Accept: */*", ["Sec-Fetch-Site: none", "Sec-Fetch-Mode: no-cors"]];
    const own = fc.record({
      at: fc.integer({ min: 1, max: 390 }),
      sends: fc.constantFrom<readonly string[]>([], [...NONE, "Sec-Fetch-Dest: empty"], [...NONE, ACCEPT]),
    });
    fc.assert(
      fc.property(fc.array(own, { maxLength: 4 }), (owns) => {
        const talks = page(0, [...OPENED, ACCEPT]).map((talk) => ({ ...talk, sends: talk.sends ?? [ACCEPT] }));
        const beside = owns.map(({ at, sends }, index): Talk => ({ at, lasts: 900, target: `/own/${index}`, sends }));
        const all = factsOf([...talks, ...beside]);
        const facts = all.map((one) => one.facts);
        const linked = foundIn([...talks, ...beside]);
        const [load] = loadsOf(trafficOf(facts, linked.links), criticalPathsOf(facts, linked), () => null);
        assert.equal([load?.requests.length, load?.end], [3, 400 + (load?.document.start ?? 0)]);
      }),
      { numRuns: rounds(50) },
    );
  });

  test("given a request that fills the gap before a step without a proven link, names it", () => {
    const [document, script, image] = page(0);
    const talks = [document, script, { at: 165, lasts: 30, target: "/config" }, image].filter(
      (one) => one !== undefined,
    );
    assert.equal(
      loadsIn(talks)[0]?.path.map(({ meanwhile }) => meanwhile?.path ?? null),
      [null, null, "/config"],
    );
  });

  test("given any pauses between loads of 2 s and more, each load is told, and its steps are within it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2_000, max: 60_000 }), { minLength: 1, maxLength: 6 }), (pauses) => {
        let at = 0;
        const talks = pauses.flatMap((pause) => {
          const own = page(at);
          at += 400 + pause;
          return own;
        });
        const loads = loadsIn(talks);
        assert.is(loads.length, pauses.length);
        for (const { duration, path } of loads) {
          assert.is(duration, 400);
          assert.is(
            path.reduce((sum, { gap, time }) => sum + gap + time, 0),
            400,
          );
        }
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given a script that later loads have in the browser's cache, what it requests stays on their paths", () => {
    const REFERER = ["Referer: https://api.test/home"];
    const pauses = fc.array(fc.integer({ min: 5, max: 200 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pauses, (drawn) => {
        const [document, script] = page(0);
        assert.ok(document !== undefined && script !== undefined);
        const talks = [
          document,
          { ...script, answer: "start()", initiators: [] },
          { at: 200, lasts: 90, target: "/api/offers", sends: REFERER },
        ];
        drawn.forEach((pause, index) => {
          const at = (index + 1) * 10_000;
          talks.push({ ...document, at }, { at: at + 100 + pause, lasts: 90, target: "/api/offers", sends: REFERER });
        });
        const [first, ...later] = loadsIn(talks);
        assert.equal(
          first?.path.map(({ endpoint }) => endpoint.path),
          ["/home", "/app.js", "/api/offers"],
        );
        assert.equal(
          later.map(pathOf),
          drawn.map((pause) => ["/home 0+100 ttfb", `/api/offers ${pause}+90 ttfb`]),
        );
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given a request after 2 s of quiet, it is not part of the load", () => {
    const late = (quiet: number) => loadsIn([...page(0), { at: 400 + quiet, lasts: 50, target: "/late" }])[0]?.duration;
    assert.equal([late(1_999), late(2_000)], [2_449, 400]);
  });

  test("given a page that polls, repeats of the poll do not keep its load open", () => {
    const polls = Array.from({ length: 12 }, (_, index): Talk => {
      return { at: 500 + index * 1_000, lasts: 20, target: "/news", answer: "none" };
    });
    assert.is(loadsIn([...page(0), ...polls])[0]?.duration, 520);
  });

  test("given the load event, the load ends there, and what comes after it is not on the path", () => {
    const [load] = loadsIn(page(0), () => 300 as Instant);
    assert.is(load?.duration, 300);
    assert.equal(pathOf(load), ["/home 0+100 ttfb", "/app.js 10+50 ttfb"]);
  });

  test("given a redirect to the document, the load begins with the redirect", () => {
    const hop: Talk = { at: 0, lasts: 30, target: "/", status: 301, gives: [...HTML, "Location: /home"] };
    assert.equal(pathOf(loadsIn([hop, ...page(40, [])])[0]).slice(0, 2), ["/ 0+30 ttfb", "/home 10+100 ttfb"]);
  });

  test("given a frame without Fetch Metadata, it begins no load while the page's requests are in flight", () => {
    const frame: Talk = { at: 220, lasts: 20, target: "/frame", gives: HTML };
    assert.is(loadsIn([...page(0, []), frame]).length, 1);
    assert.is(loadsIn([...page(0, []), { ...frame, at: 500 }, { at: 530, target: "/b" }]).length, 2);
  });

  test("given requests without Fetch Metadata, a long poll beside does not hide the next load", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_500, max: 30_000 }), fc.integer({ min: 100, max: 40_000 }), (pause, rest) => {
        const poll: Talk = { at: 300, lasts: 400 + pause + rest, target: "/poll", answer: "[]" };
        const loads = loadsIn([...page(0, []), poll, ...page(400 + pause, [])]);
        assert.equal(
          loads.map(({ start }) => start),
          [0, 400 + pause],
        );
      }),
    );
  });

  test("given HTML with a Referer right after the last response, it is a frame of the load", () => {
    const frame = (pause: number): Talk => ({
      at: 400 + pause,
      lasts: 50,
      target: "/frame",
      sends: ["Referer: https://api.test/home"],
      gives: HTML,
      answer: "<p>hello</p>",
    });
    const inFrame: Talk = { at: 560, lasts: 20, target: "/frame.js", initiators: ["https://api.test/frame"] };
    assert.is(loadsIn([...page(0, []), frame(60), inFrame]).length, 1);
  });

  test("given pages in two tabs at once, each load has its own requests", () => {
    const tab = (at: number, name: string): readonly Talk[] => [
      { at, lasts: 100, target: `/${name}`, sends: OPENED, gives: HTML, answer: `<script src="/${name}.js"></script>` },
      {
        at: at + 120,
        lasts: 300,
        target: `/${name}.js`,
        sends: [`Referer: https://api.test/${name}`],
        gives: ["Content-Type: text/javascript"],
      },
      { at: at + 450, lasts: 50, target: "/data", sends: [`Referer: https://api.test/${name}`] },
    ];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 449 }), (apart) => {
        const loads = loadsIn([...tab(0, "left"), ...tab(apart, "right")]);
        assert.equal(
          loads.map((load) => [load.start, load.duration, load.path[0]?.endpoint.path, load.path[1]?.endpoint.path]),
          [
            [0, 500, "/left", "/left.js"],
            [apart, 500, "/right", "/right.js"],
          ],
        );
      }),
    );
  });

  test("given what the page left unanswered, or fetched for a later page, the load does not wait for it", () => {
    const poll: Talk = { at: 150, lasts: 9_000, target: "/updates", outcome: LEFT };
    const later: Talk = { at: 150, lasts: 1_500, target: "/next", sends: ["Sec-Purpose: prefetch"] };
    assert.is(loadsIn([...page(0), poll, later])[0]?.duration, 400);
  });

  test("given a document that a service worker requests, it begins a load", () => {
    const sends = ["Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: navigate"];
    assert.is(loadsIn([...page(0, sends), ...page(3_000, sends)]).length, 2);
  });

  test("given lone HTML responses, an image's HTML redirect or an API's answers, there is no load", () => {
    assert.equal(loadsIn([{ at: 0, gives: HTML }]), []);
    assert.equal(
      loadsIn([
        { at: 0, status: 302, gives: [...HTML, "Location: /x"] },
        { at: 60, target: "/x" },
      ]),
      [],
    );
    assert.equal(
      loadsIn([
        { at: 0, gives: HTML, sends: ["Accept: application/json"] },
        { at: 60, target: "/x" },
      ]),
      [],
    );
    assert.equal(
      loadsIn([
        { at: 0, gives: ["Content-Type: application/json"] },
        { at: 60, target: "/x" },
      ]),
      [],
    );
  });

  test("given many loads, lists the 50 longest, by start", () => {
    const talks = Array.from({ length: 60 }, (_, index): Talk => {
      return { at: index * 10_000, lasts: 10 + ((index * 37) % 60), sends: OPENED, gives: HTML };
    });
    const loads = loadsIn(talks);
    assert.is(loads.length, 50);
    assert.ok(loads.every(({ duration }) => duration >= 20));
    assert.equal(
      loads.map(({ start }) => start),
      loads.map(({ start }) => start).sort((one, other) => one - other),
    );
  });
});

function loadsIn(talks: readonly Talk[], loadedAt: LoadedAt = () => null): readonly PageLoad[] {
  const facts = factsOf(talks).map((one) => one.facts);
  const found = foundIn(talks);
  const paths = criticalPathsOf(facts, found);
  const traffic = trafficOf(facts, found.links);
  return pageLoadsOf(loadsOf(traffic, paths, loadedAt), traffic, paths);
}

function pathOf(load: PageLoad | undefined): readonly string[] {
  return (load?.path ?? []).map(({ endpoint, gap, time, phase }) => `${endpoint.path} ${gap}+${time} ${phase}`);
}
