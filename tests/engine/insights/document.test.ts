import * as assert from "uvu/assert";
import { isDocument } from "../../../src/engine/insights/document.ts";
import { describe } from "../../support/describe.ts";
import { factsOf, type Talk } from "../../support/linked.ts";

const HTML = ["content-type: text/html"];

describe("documents of pages", (test) => {
  test("given HTML that a page or a program asked for, takes only what a browser navigates to for a document", () => {
    const isOne = (talk: Partial<Talk>) =>
      factsOf([{ at: 0, target: "/page", gives: HTML, ...talk }]).every(({ facts }) => isDocument(facts));
    assert.ok(isOne({}));
    assert.ok(isOne({ sends: ["accept: text/html,*/*;q=0.8", "referer: https://api.test/"] }));
    assert.ok(isOne({ sends: ["sec-fetch-dest: document"], gives: [] }));
    assert.ok(isOne({ status: 304, gives: [], sends: ["accept: text/html,*/*;q=0.8"] }), "a reloaded page");
    assert.not.ok(isOne({ status: 304, gives: [], sends: ["accept: */*"] }), "a reloaded script");
    assert.not.ok(isOne({ status: 304, gives: [] }), "a program's request");
    assert.not.ok(isOne({ sends: ["sec-fetch-dest: iframe"] }));
    assert.not.ok(isOne({ sends: ["accept: image/webp,*/*;q=0.8"] }), "a missing picture");
    assert.not.ok(isOne({ sends: ["accept: */*", "referer: https://api.test/"] }), "a missing script");
    assert.not.ok(isOne({ method: "POST" }));
  });
});
