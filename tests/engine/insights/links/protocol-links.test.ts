import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn } from "../../../support/linked.ts";

const PREFLIGHT = ["access-control-request-method: PUT", "origin: https://page.test"];

describe("links by protocol", (test) => {
  test("given a redirect, links the next request for its Location, once", () => {
    const found = linksIn([
      { at: 0, target: "/old", status: 302, gives: ["location: /new?x=1#top"] },
      { at: 60, target: "/new?x=1" },
      { at: 4_000, target: "/new?x=1" },
    ]);
    assert.equal(found, ["1>2 protocol"]);
  });

  test("given a redirect to another origin and one within a folder, resolves both", () => {
    const found = linksIn([
      { at: 0, target: "/a/b", status: 307, gives: ["location: ../c"] },
      { at: 60, target: "/c", status: 301, gives: ["location: HTTPS://Other.test:443/d"] },
      { at: 120, origin: "https://other.test", target: "/d" },
    ]);
    assert.equal(found, ["1>2 protocol", "2>3 protocol"]);
  });

  test("given an empty Location, the redirect leads to its own URL", () => {
    const found = linksIn([
      { at: 0, target: "/login?next=1", status: 302, gives: ["location: "] },
      { at: 60, target: "/login?next=1" },
    ]);
    assert.equal(found, ["1>2 protocol"]);
  });

  test("given two redirects to one address at once, each is followed once", () => {
    const found = linksIn([
      { at: 0, target: "/one", status: 302, gives: ["location: /both"] },
      { at: 5, target: "/two", status: 302, gives: ["location: /both"] },
      { at: 60, target: "/both" },
      { at: 61, target: "/both" },
    ]);
    assert.equal(found, ["1>3 protocol", "2>4 protocol"]);
  });

  test("given another client's redirect, links nothing", () => {
    const found = linksIn([
      { at: 0, client: "10.0.0.1 a", target: "/old", status: 302, gives: ["location: /new"] },
      { at: 60, client: "10.0.0.2 a", target: "/new" },
    ]);
    assert.equal(found, []);
  });

  test("given a preflight, links the request of its method", () => {
    const found = linksIn([
      { at: 0, method: "OPTIONS", target: "/x", status: 204, sends: PREFLIGHT },
      { at: 51, method: "GET", target: "/x", lasts: 5 },
      { at: 70, method: "PUT", target: "/x" },
    ]);
    assert.ok(found.includes("1>3 protocol"));
    assert.not.ok(found.some((link) => link.startsWith("1>2")));
  });

  test("given a 401, links the same request with other credentials only", () => {
    const refused = { at: 0, target: "/files", status: 401, sends: ["authorization: Bearer old-token"] };
    const again = (authorization: string) =>
      linksIn([refused, { at: 9_000, target: "/files", sends: [authorization] }]);
    assert.equal(again("authorization: Bearer new-token"), ["1>2 protocol"]);
    assert.equal(again("authorization: Bearer old-token"), []);
    assert.equal(again("accept: text/html"), []);
  });

  test("given Retry-After, links the request that waited for so long", () => {
    const refused = (retry: string) => ({
      at: 0,
      method: "POST",
      target: "/jobs",
      status: 429,
      gives: [`retry-after: ${retry}`, "date: Tue, 03 Mar 2026 10:11:12 GMT"],
    });
    const again = (retry: string, at: number) => linksIn([refused(retry), { at, method: "POST", target: "/jobs" }]);
    assert.equal(again("2", 2_060), ["1>2 protocol"]);
    assert.equal(again("2", 800), [], "too soon");
    assert.equal(again("Tue, 03 Mar 2026 10:11:15 GMT", 3_060), ["1>2 protocol"]);
    assert.equal(again("Tue, 03 Mar 2026 10:11:15 GMT", 1_060), [], "before that date");
  });
});
