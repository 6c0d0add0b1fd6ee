import * as assert from "uvu/assert";
import { FindingSearch } from "../../../../src/engine/insights/findings/index.ts";
import { repeatsOf } from "../../../../src/engine/insights/findings/repeats.ts";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { REPEAT_KINDS, type Repeat } from "../../../../src/engine/model/repeat.ts";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

function repeatsIn(scene: Scene): readonly Repeat[] {
  return repeatsOf(trafficOf(scene.facts, scene.links));
}

const FAILED = { kind: "responded", status: 503 } as const;

/** One scene of each class, separate in time and endpoint. */
function everyClass(scale: number): Scene {
  const scene = new Scene();
  const list = scene.ask({ at: 900, target: "/items" });
  for (const index of times(6))
    scene.prove(list, scene.ask({ at: 1_000 + index * 41, target: `/items/${index * 7}`, server: 40 }));
  for (const index of times(2)) scene.ask({ at: 10_000 + index * 700, target: "/me", body: "me", server: 50 * scale });
  for (const index of times(3))
    scene.ask({ at: 100_000 + index * 35_000 * (index + 1), target: "/rates", body: "rates", server: 60 * scale });
  for (const index of times(8)) scene.ask({ at: 500_000 + index * 5_000, target: "/news", body: "same", server: 20 });
  scene.ask({ at: 600_000, target: "/pay", status: 503, outcome: FAILED, server: 300 * scale });
  scene.ask({ at: 600_200 + 300 * scale, target: "/pay", server: 20 });
  for (const index of times(3))
    scene.ask({
      at: 700_000 + index * 400,
      method: "OPTIONS",
      target: "/cart",
      request: { "access-control-request-method": "PUT" },
      server: 25,
    });
  for (const index of times(2))
    scene.ask({
      at: 800_000 + index * 1_000,
      target: "/film.mp4",
      status: 206,
      request: { range: `bytes=${index * 500}-` },
      response: { "content-range": `bytes ${index * 500}-${index * 500 + 999}/1500` },
      type: "video/mp4",
      server: 30,
    });
  return scene;
}

describe("repeated requests", (test) => {
  test("given one of each class, names each once, the dearest first", () => {
    const repeats = repeatsIn(everyClass(1));
    assert.equal(repeats.map(({ kind }) => kind).toSorted(), [...REPEAT_KINDS].sort());
    const costs = repeats.map(({ time }) => time ?? 0);
    assert.equal(
      costs,
      costs.toSorted((left, right) => right - left),
    );
  });

  test("given a repeat that is also a finding, states the finding's time and bytes", () => {
    const scene = everyClass(40);
    const found = new FindingSearch(scene.facts, scene.links, { source: "", baseline: new Map() }).findAll().report
      .findings;
    const shared = found.filter(({ kind }) => REPEAT_KINDS.some((one) => one === kind));
    assert.equal(shared.map(({ kind }) => kind).toSorted(), ["duplicate-requests", "retries", "unchanged-refetches"]);
    const repeats = repeatsIn(scene);
    for (const { kind, time, bytes } of shared) {
      const repeat = repeats.find((one) => one.kind === kind);
      assert.equal([kind, repeat?.time, repeat?.bytes], [kind, time, bytes]);
    }
  });

  test("given a cost that is an upper bound, marks it as one", () => {
    const bounds = repeatsIn(everyClass(1)).flatMap(({ kind, isUpTo }) => (isUpTo ? [kind] : []));
    assert.equal(bounds.toSorted(), ["n-plus-one", "ranges", "unchanged-refetches"]);
  });

  test("given parts of one resource, counts the waits of all but the first, and the bytes that came twice", () => {
    const repeat = repeatsIn(everyClass(1)).find(({ kind }) => kind === "ranges");
    assert.equal([repeat?.exchanges.length, repeat?.time, repeat?.bytes], [2, 30, 500]);
    assert.is(repeat?.template, "GET https://api.test/film.mp4");
    assert.is(repeat?.summary, "was fetched in 2 parts; 500 bytes were received more than once.");
  });

  test("given parts that do not say which, leaves the bytes unknown", () => {
    const scene = new Scene();
    for (const index of times(2)) scene.ask({ at: index * 100, target: "/film.mp4", status: 206 });
    assert.equal(
      repeatsIn(scene).map(({ kind, bytes }) => [kind, bytes]),
      [["ranges", null]],
    );
  });

  test("given parts far apart, or of two clients, finds no repeat", () => {
    const scene = new Scene();
    for (const index of times(2)) scene.ask({ at: index * 60_000, target: "/film.mp4", status: 206 });
    scene.ask({ at: 100, target: "/film.mp4", status: 206, client: "10.0.0.2 other/1.0" });
    assert.equal(repeatsIn(scene), []);
  });

  test("given requests that differ, finds none", () => {
    const scene = new Scene();
    for (const index of times(12)) scene.ask({ at: index * 3_000 + index * index * 90, target: `/page${index}` });
    assert.equal(repeatsIn(scene), []);
  });
});
