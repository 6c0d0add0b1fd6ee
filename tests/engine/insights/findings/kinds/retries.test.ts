import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

const RESET = { kind: "failed", errorType: "server-reset", detail: "reset", status: null } as const;
const ABORTED = { kind: "failed", errorType: "client-aborted", detail: "gone", status: null } as const;

describe("retries", (test) => {
  test("given requests sent again after failures, the failed attempts are the cost", () => {
    const scene = new Scene();
    for (const index of times(4)) {
      const target = `/pay?n=${index}`;
      const at = index * 20_000;
      scene.ask({ at, target, status: 502, server: 99 });
      scene.ask({ at: at + 200, target, outcome: RESET, server: 49 });
      scene.ask({ at: at + 600, target });
    }
    const finding = scene.only();
    assert.is(finding.kind, "retries");
    assert.is(finding.count, 8);
    assert.is(finding.time, 4 * 150);
    assert.match(finding.summary, /502, the server reset the connection/);
    assert.equal(
      finding.evidence.find(({ name }) => name === "further attempts after a longer pause")?.value,
      "4 of 4",
    );
  });

  test("given a client that asks at its own rhythm anyway, failures are errors, not retries", () => {
    const scene = new Scene();
    for (const index of times(40))
      scene.ask({ at: index * 6_000 + (index % 3) * 900, target: "/dash", status: index % 4 === 0 ? 500 : 200 });
    assert.equal(scene.kinds(), ["errors"]);
  });

  test("given requests that differ in their body, or that the client ended itself, there is no retry", () => {
    const scene = new Scene();
    for (const index of times(6)) {
      scene.ask({ at: index * 9_000, method: "POST", sent: `a${index}`, outcome: ABORTED });
      scene.ask({ at: index * 9_000 + 100, method: "POST", sent: `a${index}` });
      scene.ask({ at: index * 9_000 + 4_000, method: "POST", target: "/b", sent: `b${index}`, status: 500 });
      scene.ask({ at: index * 9_000 + 4_100, method: "POST", target: "/b", sent: `c${index}` });
    }
    assert.equal(scene.kinds(), ["errors"]);
  });

  test("given Retry-After, a long pause that obeys it is still a retry", () => {
    const scene = new Scene();
    for (const index of times(4)) {
      scene.ask({ at: index * 30_000, target: "/a", status: 500, response: { "retry-after": "5" }, server: 60 });
      scene.ask({ at: index * 30_000 + 5_100, target: "/a" });
      scene.ask({ at: index * 30_000 + 13_000, target: "/a" });
    }
    const finding = scene.only();
    assert.is(finding.kind, "retries");
    assert.is(
      finding.evidence.find(({ name }) => name === "retries that waited as long as Retry-After says")?.value,
      "4 of 4",
    );
  });
});
