import * as assert from "uvu/assert";
import type {
  CriticalPathPart,
  CriticalPathRecord,
  PathRequest,
} from "../../../../src/engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { NO_PATH, pathFrameOf, sentenceOf } from "../../../../src/ui/views/timeline/critical-path.ts";
import { describe } from "../../../support/describe.ts";

const at = (moment: number) => moment as Instant;
const request = (id: number, target: string, method = "GET") => ({ id: id as ExchangeId, method, target });
const exchange = (id: number, target: string, from: number, to: number, method = "GET"): CriticalPathPart => ({
  kind: "exchange",
  request: request(id, target, method),
  from: at(from),
  to: at(to),
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
  isPage: true,
  start: at(0),
  end: at(1_400),
  load: { place: 1, count: 1, earlier: null, later: null },
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

describe("the critical path in the timeline", (test) => {
  test("is one sentence: the whole, each part in its order, and what could start sooner", () => {
    assert.is(
      sentenceOf(PAGE),
      "1.4 s: document 283, app.js 91, 160 idle, lazy.js 400, POST /api/items 466; lazy.js could start up to 160 ms sooner, because app.js names its URL",
    );
    assert.match(sentenceOf({ ...PAGE, sooner: null }), /466$/);
    assert.match(sentenceOf({ ...PAGE, isPage: false }), /^1\.4 s: \/shop\/ 283/);
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
    const load = { place: 2, count: 3, earlier: 1 as ExchangeId, later: 9 as ExchangeId };
    const start = at(new Date(2026, 10, 20, 12, 36, 22, 900).getTime());
    const { head, hasLoads, earlier, later } = pathFrameOf({ ...PAGE, start, load }, scale);
    assert.equal(
      [head, hasLoads, earlier, later],
      ["Critical path 2 of 3, page load of 12:36:22", true, load.earlier, load.later],
    );
    for (const alone of [PAGE, { ...PAGE, isPage: false, load: null }]) {
      const frame = pathFrameOf(alone, scale);
      assert.equal([frame.head, frame.hasLoads], ["Critical path", false]);
    }
  });

  test("calls idle only the time in which the client had no request in flight", () => {
    const parts = (idle: number) => [exchange(1, "/", 0, 100), gap(100, 200, idle), exchange(2, "/x", 200, 300)];
    assert.match(sentenceOf({ ...PAGE, parts: parts(40) }), / 40 idle, other requests 60, /);
    assert.match(sentenceOf({ ...PAGE, parts: parts(0) }), / 100, other requests 100, /);
  });

  test("names the request that was in flight for most of a gap, in the sentence and in the gap's tooltip", () => {
    const parts = [exchange(1, "/", 0, 100), gap(100, 579, 50, request(9, "/s2.css?v=1")), exchange(2, "/x", 579, 600)];
    const path = { ...PAGE, parts, sooner: null };
    assert.is(sentenceOf(path), "1.4 s: document 100, 50 idle, other requests 429 (longest: s2.css), /x 21");
    assert.equal(
      pathFrameOf(path, scale).gaps.map(({ title }) => title),
      ["50 ms idle, other requests 429 ms (longest: s2.css); 100 ms after the start"],
    );
  });

  test("names the longest parts, and sums up the others", () => {
    const parts = Array.from({ length: 9 }, (_, index) =>
      exchange(index + 1, `/${index}`, index * 10, index * 10 + 2 + index),
    );
    assert.match(sentenceOf({ ...PAGE, parts, sooner: null }), /: \/2 4\.0, .*\/8 10, 2 more 5\.0$/);
  });

  test("is drawn on the axis of the rows; a part that is out of sight is left out", () => {
    const { segments, gaps, subject } = pathFrameOf(PAGE, scale);
    assert.equal(
      segments.map(({ exchange: id, name, style }) => [id, name, style.left, style.width]),
      [
        [1, "document", "0px", "141.5px"],
        [2, "", "141.5px", "45.5px"],
        [3, "lazy.js", "267px", "200px"],
        [4, "POST /api/items", "467px", "233px"],
      ],
    );
    assert.equal(gaps, [{ title: "160 ms idle; 374 ms after the start", style: { left: "187px", width: "80px" } }]);
    assert.is(subject, "GET /shop/");
    const zoomed = pathFrameOf(PAGE, { range: { from: at(900), to: at(1_000) }, width: 700 });
    assert.equal(
      zoomed.segments.map(({ style }) => [style.left, style.width]),
      [
        ["0px", "238px"],
        ["238px", "462px"],
      ],
    );
    assert.is(pathFrameOf(null, scale), NO_PATH);
  });
});
