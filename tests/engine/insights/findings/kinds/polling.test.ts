import * as fc from "fast-check";
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

  const drawn = (min: number, max: number) => fc.integer({ min, max });
  const kindsIn = (requests: readonly { readonly at: number; readonly server: number }[]) => {
    const scene = new Scene();
    for (const request of requests) scene.ask({ ...request, target: "/report", body: "same" });
    return scene.kinds();
  };

  test("given a client that sends each request when it has the response before, it is a loop and no polling", () => {
    const turns = fc.array(fc.tuple(drawn(-30, 30), drawn(0, 5)), { minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(turns, drawn(600, 4_000), drawn(0, 150), (rounds, usual, pause) => {
        let at = 0;
        const requests = rounds.map(([more, late]) => {
          const request = { at, server: usual + more };
          // Pauses vary less than responses, so that chance does not make the starts the steadier ones.
          at += request.server + 1 + pause + late / 10;
          return request;
        });
        assert.not(kindsIn(requests).includes("polling"));
      }),
    );
  });

  test("given a timer, it is polling, whatever the responses take of the interval", () => {
    const turns = fc.array(fc.tuple(drawn(60, 150), drawn(0, 4)), { minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(turns, drawn(500, 3_500), drawn(5, 130), (rounds, interval, share) => {
        const usual = (interval * share) / 100;
        const spread = rounds.map(([more], index) => (index % 2 === 0 ? more : -more));
        const requests = rounds.map(([, late], index) => {
          return { at: index * interval + late, server: Math.max(1, usual + (spread[index] ?? 0)) };
        });
        assert.ok(kindsIn(requests).includes("polling"));
      }),
    );
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

  test("given responses that change, 304s, or heartbeats about the client, it is not polling", () => {
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
