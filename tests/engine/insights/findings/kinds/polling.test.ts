import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

describe("polling", (test) => {
  test("given a steady poll, the answers that equal the one before are the cost, and are no duplicates", () => {
    const scene = new Scene();
    for (const index of times(30))
      scene.ask({ at: index * 5_000 + (index % 2) * 100, target: "/status", body: `state ${Math.floor(index / 10)}` });
    const finding = scene.only();
    assert.is(finding.kind, "polling");
    assert.is(finding.count, 27);
    assert.is(finding.time, 27 * 41);
    assert.match(finding.summary, /27 of 30 responses/);
  });

  test("given different look-ups in a loop, with or without equal answers, it is no polling", () => {
    for (const target of [(index: number) => `/find?name=n${index}`, (index: number) => `/find/n${index}`]) {
      const scene = new Scene();
      for (const index of times(14))
        scene.ask({ at: index * 3_000, target: target(index), path: "/find/{id}", body: "none" });
      assert.equal(scene.kinds(), []);
    }
  });

  test("given an operation asked at a steady rhythm, it is polling only if its body stays the same", () => {
    const kindsOf = (sent: (index: number) => string) => {
      const scene = new Scene();
      for (const index of times(8)) {
        const body = `rate ${Math.floor(index / 4)}`;
        scene.ask({
          at: index * 1_000,
          method: "POST",
          target: "/graphql",
          operation: "Rate",
          sent: sent(index),
          body,
        });
      }
      return scene.kinds();
    };
    assert.equal(
      kindsOf(() => '{"n":0}'),
      ["polling"],
    );
    assert.equal(
      kindsOf((index) => `{"n":${index}}`),
      [],
    );
  });

  test("given answers that change, 304s, or beats that only tell of the client, it is no polling", () => {
    const steady = (index: number) => index * 5_000;
    const cases = [
      { at: steady, asked: (index: number) => ({ body: `state ${index}` }) },
      { at: steady, asked: (index: number) => ({ status: index === 0 ? 200 : 304, body: "" }) },
      { at: steady, asked: () => ({ method: "POST", sent: "alive", body: "" }) },
    ];
    for (const { at, asked } of cases) {
      const scene = new Scene();
      for (const index of times(30)) scene.ask({ at: at(index), target: "/status", ...asked(index) });
      assert.equal(scene.kinds(), []);
    }
  });

  test("given unchanged responses at no steady rhythm, it is no polling", () => {
    const scene = new Scene();
    for (const index of times(30))
      scene.ask({ at: index * 24_000 + (index % 3) * 11_000, target: "/status", body: "same" });
    assert.equal(scene.kinds(), ["unchanged-refetches"]);
  });

  test("given a monitor's health checks, nothing is said", () => {
    const scene = new Scene();
    for (const index of times(30)) scene.ask({ at: index * 5_000, target: "/healthz", body: "ok" });
    assert.equal(scene.kinds(), []);
  });
});
