import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const streams = (
  first: number,
  gapOf: (index: number, random: () => number) => number,
  tags: readonly ["event-stream"] | readonly ["websocket"] = ["event-stream"],
) => {
  const random = seeded(3);
  const scene = new Scene();
  for (const stream of times(8)) {
    const events: number[] = [];
    let at = stream * 60_000 + first;
    for (const index of times(30)) {
      events.push(at);
      at += gapOf(index, random);
    }
    scene.ask({
      at: stream * 60_000,
      target: "/live",
      tags,
      type: "text/event-stream",
      events,
      server: 30,
      transfer: at - stream * 60_000,
    });
  }
  return scene;
};
const regular = (_: number, random: () => number) => lognormal(random, 400, 0.2);

describe("slow-streams", (test) => {
  test("given first events after 3 s, each stream starts late", () => {
    const finding = streams(3_000, regular).only();
    assert.is(finding.kind, "slow-streams");
    assert.equal([finding.count, finding.time], [8, 8 * 3_000]);
  });

  test("given a gap far above the usual, it is a stall and costs what is above the usual", () => {
    const finding = streams(20, (index, random) => (index === 12 ? 6_000 : regular(index, random))).only();
    assert.is(finding.count, 8);
    assert.ok(Math.abs((finding.time ?? 0) - 8 * 5_600) < 8 * 60);
  });

  test("given steady events, random ones as a Poisson process makes them, or a WebSocket, nothing is said", () => {
    const poisson = (_: number, random: () => number) => -Math.log(1 - random()) * 600;
    assert.equal(streams(20, regular).kinds(), []);
    assert.equal(streams(600, poisson).kinds(), []);
    assert.equal(streams(1_200, (_, random) => lognormal(random, 1_200, 0.2)).kinds(), []);
    assert.equal(streams(5_000, regular, ["websocket"]).kinds(), []);
  });
});
