import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { callOfModel } from "../../../../support/model-calls.ts";
import { Scene, times } from "../../../../support/scene.ts";

describe("errors", (test) => {
  test("given an endpoint that fails one time in five, it is named with its rate", () => {
    const scene = new Scene();
    for (const index of times(40))
      scene.ask({ at: index * 3_000, target: `/a?n=${index}`, status: index % 5 === 0 ? 500 : 200 });
    const finding = scene.only();
    assert.is(finding.kind, "errors");
    assert.is(finding.count, 8);
    assert.match(finding.summary, /8 times in 40 requests \(20 %\): 500 × 8/);
  });

  test("given failures of which some were sent again, the rate is that of all, and says which count elsewhere", () => {
    const scene = new Scene();
    // 20 fail, are retried once and fail again; 10 fail without a retry.
    for (const index of times(20)) {
      scene.ask({ at: index * 3_000, target: `/a?n=${index}`, status: 503 });
      scene.ask({ at: index * 3_000 + 300, target: `/a?n=${index}`, status: 503 });
    }
    for (const index of times(10)) scene.ask({ at: 90_000 + index * 3_000, target: `/a?m=${index}`, status: 503 });
    const finding = scene.report().findings.find(({ kind }) => kind === "errors");
    assert.match(
      finding?.summary ?? "",
      /failed 50 times in 50 requests \(100 %\): 503 × 50\. 40 of these failures are counted/,
    );
    assert.is(finding?.count, 10);
  });

  test("given errors that only the body of a 200 tells, they count", () => {
    const scene = new Scene();
    for (const index of times(30))
      scene.ask({
        at: index * 3_000,
        method: "POST",
        target: "/graphql",
        operation: "Pay",
        sent: `${index}`,
        applicationError: index % 3 === 0,
      });
    assert.is(scene.only().endpoint?.operation, "Pay");
  });

  test("given streams of a language model that end in an error, they count by its name", () => {
    const scene = new Scene();
    for (const index of times(30)) {
      const error = index % 3 === 0 ? "server_error" : null;
      const model = callOfModel({ error });
      scene.ask({ at: index * 9_000, method: "POST", target: "/v1/messages", sent: `${index}`, model });
    }
    const finding = scene.only();
    assert.equal([finding.kind, finding.count], ["errors", 10]);
    assert.match(finding.summary, /failed 10 times in 30 requests \(33 %\): server_error in a 200 stream × 10/);
  });

  test("given as few errors as any service has, nothing is said", () => {
    const scene = new Scene();
    for (const index of times(60))
      scene.ask({ at: index * 3_000, target: `/a?n=${index}`, status: index % 20 === 7 ? 404 : 200 });
    assert.equal(scene.kinds(), []);
  });

  test("given challenges that the same request with credentials answers, missing icons and aborts, nothing is said", () => {
    const scene = new Scene();
    for (const index of times(20)) {
      const [at, target] = [index * 9_000, `/bank?n=${index}`];
      scene.ask({ at, target, status: 401, server: 5, request: { authorization: "Bearer old" } });
      scene.ask({ at: at + 100, target, request: { authorization: `Bearer ${index}` } });
      scene.ask({
        at: at + 3_000,
        origin: "https://www.test",
        target: ["/favicon.ico", "/a/apple-touch-icon-120x120", "/.well-known/change-password"][index % 3] ?? "",
        status: 404,
        server: 5,
        type: "text/html",
        client: `10.0.0.${index}`,
      });
      scene.ask({
        at: at + 4_000,
        target: `/search?n=${index}`,
        outcome: { kind: "failed", errorType: "client-aborted", detail: "", status: null },
      });
    }
    assert.equal(scene.kinds(), []);
  });

  test("given a 401 that is never answered, it is an error", () => {
    const scene = new Scene();
    for (const index of times(20)) scene.ask({ at: index * 5_000, target: `/bank?n=${index}`, status: 401 });
    assert.equal(scene.kinds(), ["errors"]);
  });
});
