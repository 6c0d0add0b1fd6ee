import * as assert from "uvu/assert";
import type {
  CriticalPathPart,
  CriticalPathRecord,
  PathRequest,
} from "../../../../src/engine/messages/timeline-messages.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { NO_PATH, pathFrameOf, sentenceOf } from "../../../../src/ui/views/timeline/critical-path.ts";
import { describe } from "../../../support/describe.ts";

const at = (moment: number) => moment as Instant;
const request = (id: number, target: string, method = "GET", path = target): PathRequest => ({
  id: id as ExchangeId,
  method,
  target,
  endpoint: endpointOf(method, "https://shop.test", path),
});
const exchange = (id: number, target: string, from: number, to: number, method = "GET"): CriticalPathPart => ({
  kind: "exchange",
  request: request(id, target, method),
  from: at(from),
  to: at(to),
  isPossible: false,
});
const gap = (from: number, to: number, idle: number, longest: PathRequest | null = null): CriticalPathPart => ({
  kind: "gap",
  from: at(from),
  to: at(to),
  idle,
  longest,
});

const PAGE: CriticalPathRecord = {
  client: "Firefox",
  origin: "https://shop.test",
  isPage: true,
  start: at(0),
  end: at(1_400),
  load: { position: 1, count: 1, earlier: null, later: null, latest: 1 as ExchangeId, longestOf: "session" },
  parts: [
    exchange(1, "/shop/", 0, 283),
    exchange(2, "/js/app.js?v=3", 283, 374),
    gap(374, 534, 160),
    exchange(3, "/js/lazy.js", 534, 934),
    exchange(4, "/api/items", 934, 1_400, "POST"),
  ],
  marks: [],
  sooner: { request: request(3, "/js/lazy.js"), namedBy: request(2, "/js/app.js?v=3"), by: 160 },
};
const scale = { range: { from: at(0), to: at(1_400) }, width: 700 };

describe("critical path in the Timeline view", (test) => {
  test("given a path, says how long it is, of how many requests, and what could start sooner", () => {
    assert.is(
      sentenceOf(PAGE),
      "1.4 s in 4 requests; lazy.js could start up to 160 ms sooner, because app.js names its URL",
    );
    assert.is(sentenceOf({ ...PAGE, sooner: null }), "1.4 s in 4 requests");
    const busy = PAGE.parts.with(2, gap(374, 534, 60, request(9, "/api/orders")));
    assert.match(sentenceOf({ ...PAGE, parts: busy }), /names its URL, unless it needs what was read meanwhile$/);
  });

  test("given requests that possibly waited for the one before, says so", () => {
    const parts = [exchange(1, "/", 0, 100), { ...exchange(2, "/x", 100, 600), isPossible: true }];
    const { sentence, steps } = pathFrameOf({ ...PAGE, parts, sooner: null, end: at(600) }, scale);
    assert.is(sentence, "600 ms in 2 requests; 1 wait is possible, not proven");
    assert.is(
      steps[1]?.title,
      "GET /x 500 ms; possibly waited for the request before, not proven; 100 ms after the start",
    );
  });

  test("given moments that the file names, marks those in the visible range", () => {
    const marks = [
      { name: "onContentLoad", at: at(350) },
      { name: "_largestContentfulPaint", at: at(700) },
      { name: "onLoad", at: at(1_401) },
    ];
    assert.equal(pathFrameOf({ ...PAGE, marks }, scale).marks, [
      { title: "DOMContentLoaded, 350 ms after the start", style: { left: "175px" } },
      { title: "Largest contentful paint, 700 ms after the start", style: { left: "350px" } },
    ]);
  });

  test("given several page loads, says which of them it is and when it began; given one or none, only what it is", () => {
    const [one, nine] = [1 as ExchangeId, 9 as ExchangeId];
    const load = { position: 2, count: 3, earlier: one, later: nine, latest: nine, longestOf: null };
    const start = at(new Date(2026, 10, 20, 12, 36, 22, 900).getTime());
    const { head, started, hasLoads, earlier, later } = pathFrameOf({ ...PAGE, start, load }, scale);
    assert.equal(
      [head, started, hasLoads, earlier, later],
      ["Critical path 2 of 3", "at 12:36:22", true, load.earlier, load.later],
    );
    const headOf = (longestOf: "session" | "range") =>
      pathFrameOf({ ...PAGE, load: { ...load, longestOf } }, scale).head;
    assert.equal(
      [headOf("session"), headOf("range")],
      ["Critical path 2 of 3, the longest of the session", "Critical path 2 of 3, the longest in the visible range"],
    );
    for (const alone of [PAGE, { ...PAGE, isPage: false, load: null }]) {
      const frame = pathFrameOf(alone, scale);
      assert.equal([frame.head, frame.hasLoads], ["Critical path", false]);
    }
  });

  test("given a page, names its address, and its client in the title alone; given another method, names that too", () => {
    const { subject, subjectTitle } = pathFrameOf(PAGE, scale);
    assert.equal([subject, subjectTitle], ["https://shop.test/shop/", "https://shop.test/shop/\nFirefox"]);
    const parts = [exchange(1, "/rpc", 0, 283, "POST")];
    const unknown = pathFrameOf({ ...PAGE, client: "unknown", parts }, scale);
    assert.equal([unknown.subject, unknown.subjectTitle], ["POST https://shop.test/rpc", "POST https://shop.test/rpc"]);
  });

  test("given a gap, calls it idle only where most of it was, and names a request that ran for most of it", () => {
    const other = request(9, "/s2.css?v=1");
    const textsOf = (idle: number, longest: PathRequest | null = null) => {
      const between = gap(100, 579, idle, longest);
      const parts = [exchange(1, "/", 0, 100), between, exchange(2, "/x", 579, 600)];
      const step = pathFrameOf({ ...PAGE, parts }, scale).steps[1];
      return [step?.name, step?.title];
    };
    assert.equal(
      [textsOf(479), textsOf(478.7), textsOf(79)],
      [
        ["idle", "idle 479 ms; 100 ms after the start"],
        ["idle", "idle 479 ms; idle 479 ms, with other requests 0.3 ms; 100 ms after the start"],
        ["other requests", "other requests 479 ms; idle 79 ms, with other requests 400 ms; 100 ms after the start"],
      ],
    );
    assert.equal(
      [50, 0].map((idle) => textsOf(idle, other)),
      [
        [
          "meanwhile s2.css",
          "meanwhile s2.css 479 ms; idle 50 ms, with other requests 429 ms, the longest s2.css; 100 ms after the start",
        ],
        [
          "meanwhile s2.css",
          "meanwhile s2.css 479 ms; with other requests 479 ms, the longest s2.css; 100 ms after the start",
        ],
      ],
    );
  });

  test("given four and more requests to one endpoint, shows them as one row, which opens to them and their gaps", () => {
    const items = [0, 1, 2, 3].flatMap((index) => {
      const own = request(10 + index, `/api/item/${index}`, "GET", "/api/item/{id}");
      const from = 300 + 110 * index;
      const part = {
        kind: "exchange",
        request: own,
        from: at(from),
        to: at(from + 100),
        isPossible: index > 1,
      } as const;
      return index === 0 ? [part] : [gap(from - 10, from, 10), part];
    });
    const parts = [exchange(1, "/", 0, 283), gap(283, 300, 17), ...items, exchange(20, "/main", 730, 1_400)];
    const stepsOf = (...opened: number[]) =>
      pathFrameOf({ ...PAGE, parts, sooner: null }, scale, new Set(opened as ExchangeId[])).steps;
    const rowsOf = (...opened: number[]) =>
      stepsOf(...opened).map(({ name, times, length, share, expanded }) => [times + name, length, share, expanded]);
    const run = (expanded: string) => ["4 ×/api/item/{id}", "400 ms", "29 %", expanded];
    const [document, idle, last] = [
      ["/", "283 ms", "20 %", "undefined"],
      ["idle", "17 ms", "1 %", "undefined"],
      ["/main", "670 ms", "48 %", "undefined"],
    ];
    assert.equal(rowsOf(20), [document, idle, run("false"), last]);
    const open = rowsOf(10);
    assert.equal([open.length, open[2], open.at(-1)], [4 + 7, run("true"), last]);
    assert.equal(
      stepsOf(10).map(({ isInRun }) => isInRun),
      [false, false, false, ...items.map(() => true), false],
    );
    const closed = stepsOf()[2];
    assert.equal(
      [closed?.exchange, closed?.isRun, closed?.style.left, closed?.style.width],
      [10, true, "150px", "215px"],
    );
    assert.is(
      closed?.title,
      "GET /api/item/{id} 4 × 400 ms; 30 ms between them; 2 waits are possible, not proven; 300 ms after the start",
    );
  });

  test("given a path, has a row for each request and gap: its name, time and share, and a bar on the axis", () => {
    const { steps, subject } = pathFrameOf(PAGE, scale);
    assert.equal(
      steps.map(({ exchange: id, method, name, length, share, style }) => [
        id,
        `${method} ${name}`,
        length,
        share,
        style.left,
        style.width,
      ]),
      [
        [1, "GET /shop/", "283 ms", "20 %", "0px", "141.5px"],
        [2, "GET app.js", "91 ms", "7 %", "141.5px", "45.5px"],
        [null, " idle", "160 ms", "11 %", "187px", "80px"],
        [3, "GET lazy.js", "400 ms", "29 %", "267px", "200px"],
        [4, "POST /api/items", "466 ms", "33 %", "467px", "233px"],
      ],
    );
    assert.is(steps[1]?.title, "GET app.js 91 ms; 283 ms after the start");
    assert.is(subject, "https://shop.test/shop/");
    const zoomed = pathFrameOf(PAGE, { range: { from: at(900), to: at(1_000) }, width: 700 });
    assert.equal(
      zoomed.steps.map(({ style }) => style.width),
      ["0px", "0px", "0px", "238px", "462px"],
    );
    assert.is(pathFrameOf(null, scale), NO_PATH);
  });
});
