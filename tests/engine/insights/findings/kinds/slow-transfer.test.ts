import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

/** Bodies of 30 to 200 KB at `rate` bytes per ms. */
const others = (scene: Scene, rate: number, random: () => number, count = 25) => {
  for (const index of times(count)) {
    const bytes = 30_000 + random() * 170_000;
    scene.ask({ at: 100_000 + index * 6_000, target: `/file${index}`, bytes, transfer: bytes / rate });
  }
};

describe("slow-transfer", (test) => {
  test("given small bodies long after the first byte, the body comes late", () => {
    const random = seeded(5);
    const scene = new Scene();
    for (const index of times(20))
      scene.ask({
        at: index * 4_000,
        target: `/quote?n=${index}`,
        server: 60,
        bytes: 2_000 + random() * 1_500,
        transfer: lognormal(random, 2_000, 0.2),
      });
    const finding = scene.only();
    assert.equal([finding.kind, finding.count, finding.endpoint?.path], ["slow-transfer", 20, "/quote"]);
    assert.match(finding.summary, /^The body of GET \/quote comes late: /);
  });

  test("given a body far below the rate of the client's others, it comes late, once and often", () => {
    const random = seeded(6);
    for (const count of [1, 3, 12]) {
      const scene = new Scene();
      others(scene, 2_000, random);
      for (const index of times(count))
        scene.ask({ at: index * 5_000, target: `/late?n=${index}`, bytes: 90_000, transfer: 1_500 + random() * 900 });
      const finding = scene.only();
      assert.equal([finding.kind, finding.count], ["slow-transfer", count]);
      assert.is(/median/.test(finding.summary), count > 1);
    }
  });

  test("given small bodies 40 ms late, all or some, a delayed acknowledgement is named at what it costs", () => {
    for (const [seed, share] of [
      [7, 1],
      [8, 0.5],
      [9, 0.3],
    ] as const) {
      const random = seeded(seed);
      const scene = new Scene();
      let truth = 0;
      for (const index of times(90)) {
        const isDelayed = random() < share;
        const transfer = isDelayed ? 40 + random() * 4 : 0;
        truth += transfer;
        const server = lognormal(random, 6, 0.3);
        // The client pauses briefly after quick answers, so that the idle time goes with the delay.
        const at = index * 300 + (isDelayed ? 0 : 100);
        scene.ask({ at, target: `/value?n=${index}`, server, bytes: 300, transfer });
      }
      const finding = scene.only();
      assert.is(finding.kind, "slow-transfer");
      assert.match(finding.summary, /late by about 4\d ms: head and body were sent apart \(Nagle and delayed ACK\)/);
      assert.ok(Math.abs((finding.time ?? 0) - truth) < 0.01 * truth);
    }
  });

  test("given bodies that take 40 ms in the mean but not steadily, or large ones, no acknowledgement is named", () => {
    for (const sketch of [
      (random: () => number) => ({ transfer: lognormal(random, 40, 0.5), bytes: 300 }),
      (random: () => number) => ({ transfer: 40 + random() * 4, bytes: 60_000 }),
    ]) {
      const random = seeded(12);
      const scene = new Scene();
      for (const index of times(60))
        scene.ask({ at: index * 300, target: `/value?n=${index}`, server: 4, ...sketch(random) });
      assert.not.ok(scene.report().findings.some(({ summary }) => /Nagle/.test(summary)));
    }
  });

  test("given a client that receives all bodies slowly, its line is named", () => {
    const scene = new Scene();
    others(scene, 45, seeded(8));
    const finding = scene.only();
    assert.equal([finding.kind, finding.endpoint, finding.client], ["slow-transfer", null, "10.0.0.1 test/1.0"]);
    assert.match(finding.summary, / has a slow line: .* about 44 KB a second/);
  });

  test("given quick bodies, downloads at the usual rate, or a body that waits for others, nothing is said", () => {
    const quick = new Scene();
    others(quick, 2_000, seeded(9));
    assert.equal(quick.kinds(), []);

    const downloads = new Scene();
    others(downloads, 2_000, seeded(10));
    for (const index of times(3))
      downloads.ask({
        at: index * 20_000,
        target: `/release-${index}`,
        type: "application/zip",
        bytes: 12_000_000,
        transfer: 6_000,
      });
    assert.equal(downloads.kinds(), []);

    const shared = new Scene();
    shared.ask({ at: 0, target: "/small", bytes: 15_000, transfer: 1_000 });
    shared.ask({ at: 0, target: "/film", type: "video/mp4", bytes: 1_985_000, transfer: 1_000 });
    others(shared, 2_000, seeded(11));
    assert.equal(shared.kinds(), []);
  });
});
