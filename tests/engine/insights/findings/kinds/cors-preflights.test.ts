import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

const preflights = (
  scene: Scene,
  count: number,
  pause: number,
  response: Record<string, string>,
  { clients = 1, targetOf = (_: number): string => "/tasks" } = {},
) => {
  for (const index of times(count)) {
    const client = `10.0.0.${index % clients} browser`;
    const [at, target] = [index * pause, targetOf(index)];
    scene.ask({
      at,
      client,
      method: "OPTIONS",
      target,
      request: { origin: "https://page.test", "access-control-request-method": "PUT" },
      response,
      status: 204,
      server: 80,
      body: "",
    });
    scene.ask({ at: at + 90, client, method: "PUT", target, sent: `${index}` });
  }
};

describe("cors-preflights", (test) => {
  test("given a preflight before each request and no Access-Control-Max-Age, the header is named", () => {
    const scene = new Scene();
    preflights(scene, 10, 9_000, {});
    const finding = scene.only();
    assert.is(finding.kind, "cors-preflights");
    assert.is(finding.count, 9);
    assert.is(finding.time, 9 * 81);
    assert.match(finding.summary, /no Access-Control-Max-Age/);
    assert.match(finding.advice, /Access-Control-Max-Age: 7200/);
  });

  test("given answers that could be kept and are not, the client is told", () => {
    const scene = new Scene();
    preflights(scene, 10, 9_000, { "access-control-max-age": "3600" });
    assert.match(scene.only().advice, /client does not cache/);
  });

  test("given another URL each time, neither the header nor the client is blamed", () => {
    for (const response of [{}, { "access-control-max-age": "3600" }]) {
      const scene = new Scene();
      preflights(scene, 10, 9_000, response, { targetOf: (index) => `/tasks?n=${index}` });
      assert.match(scene.only().advice, /^Browsers cache a preflight's response per URL/);
    }
  });

  test("given a preflight for each id of one template, they are one resource asked again", () => {
    const scene = new Scene();
    for (const index of times(10)) {
      const at = index * 9_000;
      const target = `/tasks/${1_000 + index}`;
      const request = { origin: "https://page.test", "access-control-request-method": "PUT" };
      scene.ask({ at, method: "OPTIONS", target, path: "/tasks/{id}", request, status: 204, server: 80, body: "" });
      scene.ask({ at: at + 90, method: "PUT", target, path: "/tasks/{id}", sent: `${index}` });
    }
    const finding = scene.only();
    assert.equal([finding.kind, finding.count, finding.endpoint?.path], ["cors-preflights", 9, "/tasks/{id}"]);
    assert.match(finding.advice, /^Browsers cache a preflight's response per URL/);
  });

  test("given preflights of other origins, or for other headers, none is avoidable", () => {
    const requests = [
      (index: number) => ({ origin: `https://page${index}.test`, "access-control-request-headers": "x-a" }),
      (index: number) => ({ origin: "https://page.test", "access-control-request-headers": `x-${index}` }),
    ];
    for (const requestOf of requests) {
      const scene = new Scene();
      for (const index of times(10))
        scene.ask({
          at: index * 900,
          method: "OPTIONS",
          target: "/tasks",
          request: { ...requestOf(index), "access-control-request-method": "PUT" },
          response: { "access-control-max-age": "3600" },
          status: 204,
          server: 80,
          body: "",
        });
      assert.equal(scene.kinds(), []);
    }
  });

  test("given one preflight of each client, or one after each Max-Age, nothing is said", () => {
    for (const [count, pause, clients] of [
      [8, 3_000, 8],
      [5, 700_000, 1],
    ] as const) {
      const scene = new Scene();
      preflights(scene, count, pause, { "access-control-max-age": "600" }, { clients });
      assert.equal(scene.kinds(), []);
    }
  });
});
