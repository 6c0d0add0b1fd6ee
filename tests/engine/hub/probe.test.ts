import * as assert from "uvu/assert";
import { isSample, matchOf, probeOf, sampleProblem } from "../../../src/engine/hub/probe.ts";
import type { Target } from "../../../src/engine/hub/target.ts";
import { targetOf } from "../../../src/engine/hub/targets/index.ts";
import { describe } from "../../support/describe.ts";
import type { RequestSketch } from "../../support/probe-event.ts";
import { requestStarted } from "../../support/probe-event.ts";

describe("probe request", (test) => {
  test("given a probe host and a target, the URL is https://{probe_host}/anything/<app_segment>/<target_slug>", () => {
    assert.is(probeOf(known("python"), "echo.example", 8686).url, "https://echo.example/anything/weir/python");
  });

  test("given a port in the probe host, keeps it in URL and origin unless it is the default port", () => {
    const probe = probeOf(known("curl"), "Echo.example:9443", 8686);
    assert.is(probe.url, "https://echo.example:9443/anything/weir/curl");
    assert.is(probe.authority, "echo.example:9443");
    assert.is(probeOf(known("curl"), "echo.example:443", 8686).origin, "https://echo.example");
  });

  test("given a device, a container or a dev server, waits longer for the probe request", () => {
    assert.is(probeOf(known("curl"), "echo.example", 8686).limit, 30_000);
    for (const slug of ["docker", "nextjs", "ios-device", "flutter"])
      assert.is(probeOf(known(slug), "echo.example", 8686).limit, 120_000, slug);
  });

  const cases: readonly (readonly [string, string, RequestSketch, string])[] = [
    ["the exact probe request", "python", {}, "probe"],
    ["the probe request with a query", "python", { target: "/anything/weir/python?x=1" }, "probe"],
    ["a path below the probe's", "python", { target: "/anything/weir/python/x" }, "probe-host"],
    ["a longer slug", "python", { target: "/anything/weir/python3" }, "probe-host"],
    ["another target's probe request", "python", { target: "/anything/weir/ruby" }, "probe-host"],
    ["another method", "python", { method: "HEAD" }, "probe-host"],
    ["another host", "python", { origin: "https://example.com" }, "other"],
    ["another port", "python", { origin: "https://probe.weir.test:8443" }, "other"],
    ["a resent request", "python", { tags: ["resent"] }, "other"],
    ["an imported request", "python", { tags: ["imported"] }, "other"],
    ["a malformed request", "python", { tags: ["malformed"] }, "other"],
    ["an undecrypted tunnel", "python", { tags: ["tunnel"], method: "CONNECT" }, "other"],
    ["the probe request over http", "python", { origin: "http://probe.weir.test" }, "without-tls"],
    ["another path over http", "python", { origin: "http://probe.weir.test", target: "/" }, "other"],
    ["another path, https without TLS", "python", { tags: ["https-in-clear"], target: "/" }, "other"],
    ["https without TLS", "python", { tags: ["https-in-clear"] }, "without-tls"],
    ["git's own path", "git", { target: "/anything/weir/git/info/refs?service=git-upload-pack" }, "probe"],
    ["npm's own path", "npm", { target: "/anything/weir/npm/-/ping?write=true" }, "probe"],
    ["a sibling of git's path", "git", { target: "/anything/weir/gitlab" }, "probe-host"],
  ];
  for (const [title, slug, sketch, expected] of cases) {
    test(`given ${title}, classifies the request as "${expected}"`, () => {
      assert.is(matchOf(probeOf(known(slug), "probe.weir.test", 8686), requestStarted(sketch)), expected);
    });
  }

  test("given a request for the sample URL over TLS, recognizes it; given any other request, does not", () => {
    const sample = { target: "/anything/weir/hello" };
    assert.ok(isSample(requestStarted(sample)));
    assert.ok(isSample(requestStarted({ target: "/anything/weir/hello?again" })));
    for (const [, , sketch] of cases.filter(([, , { target }]) => target === undefined))
      assert.not(isSample(requestStarted(sketch)), JSON.stringify(sketch));
    const others: readonly RequestSketch[] = [
      ...(["imported", "resent", "https-in-clear"] as const).map((tag) => ({ tags: [tag] })),
      { method: "HEAD" },
      { origin: "http://probe.weir.test" },
      { target: "/anything/weir/hello/x" },
    ];
    for (const other of others) assert.not(isSample(requestStarted({ ...sample, ...other })), JSON.stringify(other));
  });

  test("given Firefox's localhost probe, accepts absolute-form and reports origin-form as direct", () => {
    const probe = probeOf(known("firefox"), "probe.weir.test", 8686);
    const sketch = { origin: "http://localhost:8686", target: "/anything/weir/firefox" };
    const absolute = "GET http://localhost:8686/anything/weir/firefox HTTP/1.1\r\n\r\n";
    assert.is(matchOf(probe, requestStarted({ ...sketch, head: absolute })), "probe");
    assert.is(matchOf(probe, requestStarted(sketch)), "direct");
    assert.is(matchOf(probe, requestStarted({ ...sketch, origin: "http://localhost:8687" })), "other");
    assert.is(matchOf(probe, requestStarted({ ...sketch, origin: "http://127.0.0.1:8686", head: absolute })), "probe");
  });

  test("given a target other than Firefox, does not accept the localhost probe", () => {
    const probe = probeOf(known("chromium"), "probe.weir.test", 8686);
    const sketch = { origin: "http://localhost:8686", target: "/anything/weir/chromium" };
    assert.is(matchOf(probe, requestStarted(sketch)), "other");
  });

  test("given a sample URL, accepts only http or https with a host and printable ASCII", () => {
    assert.is(sampleProblem("https://example.com/a?b='c'"), null);
    for (const url of [
      "ftp://example.com/",
      "https://",
      "https:///x",
      "https://a b/",
      "https://é.test/",
      "https://a/\n",
      "",
    ])
      assert.type(sampleProblem(url), "string", url);
  });
});

function known(slug: string): Target {
  const target = targetOf(slug);
  if (target === null) throw new Error(`no target ${slug}`);
  return target;
}
