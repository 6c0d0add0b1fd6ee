import * as assert from "uvu/assert";
import { serverTimingOf } from "../../../../../src/engine/insights/findings/server-timing.ts";
import { trafficOf } from "../../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";
import { resultOf } from "../../../../support/slices.ts";

const asked = (sketch: (index: number, random: () => number) => Partial<Asked>, count = 30) => {
  const random = seeded(9);
  const scene = new Scene();
  for (const index of times(count))
    scene.ask({ at: index * 7_000, target: `/search?q=${index}`, ...sketch(index, random) });
  return scene;
};

describe("slow-server", (test) => {
  test("given a slow server without a narrower cause, its time is the upper bound, and Server-Timing is quoted", () => {
    const finding = asked((_, random) => {
      const server = lognormal(random, 400, 0.3);
      return {
        server,
        response: {
          "server-timing": `cache;desc="a, b", db;dur=${(server * 0.8).toFixed(1)}, total;dur=${server.toFixed(1)}`,
        },
      };
    }).only();
    assert.is(finding.kind, "slow-server");
    assert.is(finding.count, 30);
    assert.match(finding.advice, /"db"/);
    assert.match(finding.basis, /^Up to/);
  });

  test("given quick servers, slow transfers, or a small share of the waiting, nothing is said", () => {
    assert.equal(asked((_, random) => ({ server: lognormal(random, 120, 0.3) })).kinds(), []);
    assert.equal(asked(() => ({ server: 250, transfer: 200, bytes: 1_000 })).kinds(), []);
    const beside = asked(() => ({ server: 250 }), 6);
    for (const index of times(400))
      beside.ask({ at: index * 500, target: `/b?n=${index}`, client: "10.0.0.9 app", server: 90 });
    assert.equal(beside.kinds(), []);
  });

  test("given long polls, they are no slow server and no waiting", () => {
    const scene = new Scene();
    let at = 0;
    for (const index of times(20)) {
      scene.ask({ at, target: `/wait?after=${index}`, server: 9_000 + index * 200 });
      at += 9_000 + index * 200 + 20;
    }
    const { findings, waiting } = scene.report();
    assert.equal([findings, waiting], [[], 0]);
  });
});

describe("long polls", (test) => {
  test("given slow answers that are asked for after a pause, it is a slow server", () => {
    const scene = new Scene();
    for (const index of times(20))
      scene.ask({ at: index * 9_000, target: `/report?n=${index}`, server: 3_000 + index * 20 });
    assert.equal(scene.kinds(), ["slow-server"]);
  });

  test("given a slow server that is asked again at once, as in a loop, its waiting counts", () => {
    const scene = new Scene();
    let at = 0;
    for (const index of times(40)) {
      scene.ask({ at, target: `/orders?id=${index}`, server: 1_500, transfer: 0 });
      at += 1_505;
    }
    assert.is(scene.report().waiting, 40 * 1_500);
    assert.is.not(scene.kinds().length, 0);
  });

  test("given a steady poll that was answered late twice and then asked again at once, its waiting counts", () => {
    const scene = new Scene();
    let next = 0;
    for (const index of times(40)) {
      const server = index === 5 || index === 20 ? 6_200 : 40;
      scene.ask({ at: next, target: "/news", server, transfer: 0 });
      next = Math.max(next + 1_000, next + server + 5);
    }
    assert.is(scene.report().waiting, 38 * 40 + 2 * 6_200);
  });
});

describe("Server-Timing", (test) => {
  test("given entries with quoted commas, durations and descriptions in any form, all are read", () => {
    const scene = new Scene();
    scene.ask({ at: 0, response: { "server-timing": 'miss, db;dur=53.2;desc="a, b", app ; desc=x ; dur="7", =bad' } });
    const [request] = resultOf(trafficOf(scene.facts, [])).requests;
    assert.equal(request === undefined ? null : serverTimingOf(request), [
      { name: "miss", duration: null, description: null },
      { name: "db", duration: 53.2, description: "a, b" },
      { name: "app", duration: 7, description: "x" },
    ]);
  });
});

describe("proxy-overhead", (test) => {
  test("given Weir's own time of at least 5 ms and a tenth of the latency, it is a finding", () => {
    const finding = asked(() => ({ weir: 12 })).only();
    assert.is(finding.kind, "proxy-overhead");
    assert.is(finding.time, 30 * 12);
  });

  test("given less, or none that is known, nothing is said", () => {
    assert.equal(asked(() => ({ weir: 4.9 })).kinds(), []);
    assert.equal(asked(() => ({ weir: 9, server: 120 })).kinds(), []);
    assert.equal(asked(() => ({})).kinds(), []);
  });
});
