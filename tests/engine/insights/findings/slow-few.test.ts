import * as assert from "uvu/assert";
import { serverSpanOf } from "../../../../src/engine/insights/findings/request.ts";
import { heldEnough, joinedByTime, slowAtOnceIn } from "../../../../src/engine/insights/findings/slow-few.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

describe("slow requests of rare endpoints", (test) => {
  test("given slow ones at the same time, they are one list, the slowest first", () => {
    const scene = new Scene();
    for (const [at, server] of [
      [0, 700],
      [100, 900],
      [5_000, 800],
    ] as const)
      scene.ask({ at, target: `/at${at}`, server });
    const { requests } = scene.traffic();
    const lists = slowAtOnceIn(requests, scene.traffic());
    assert.equal(
      lists.map((list) => list.map(({ path }) => path)),
      [["/at100", "/at0"], ["/at5000"]],
    );
  });

  test("given a time whose bound leaves open whether it is slow, it is left out", () => {
    const scene = new Scene();
    scene.ask({ at: 0, server: 540, uncertainty: 44 });
    scene.ask({ at: 5_000, target: "/b", server: 560, uncertainty: 44 });
    const lists = slowAtOnceIn(scene.traffic().requests, scene.traffic());
    assert.equal(
      lists.flat().map(({ path }) => path),
      ["/b"],
    );
  });

  test("given requests of two clients, their times are not shared", () => {
    const scene = new Scene();
    scene.ask({ at: 0, target: "/a", server: 700 });
    scene.ask({ at: 10, target: "/b", server: 700, client: "10.0.0.2 other" });
    assert.equal(
      joinedByTime(scene.traffic().requests, serverSpanOf).map((group) => group.map(({ path }) => path)),
      [["/a"], ["/b"]],
    );
  });

  test("given a tenth of the waiting, it is enough; given less, it is not", () => {
    const scene = new Scene();
    scene.ask({ at: 0, server: 999 });
    const traffic = scene.traffic();
    assert.ok(heldEnough([{ client: "c", start: 0, end: 100 }], traffic));
    assert.not.ok(heldEnough([{ client: "c", start: 0, end: 99 }], traffic));
  });
});
