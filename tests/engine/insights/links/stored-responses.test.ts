import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";

const ID = "7f3a9c21e4b8d605";

describe("responses that a client stored", (test) => {
  test("given a page that is loaded again with a 304, links each load to the page as the first", () => {
    const drawn = fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.constantFrom('ETag: "1"', "Last-Modified: Mon"),
      (loads, validator) => {
        const html = '<script src="/app/main.js"></script><img src="/app/one-picture.png">';
        const talks = Array.from({ length: loads }, (_, load): readonly Talk[] => {
          const page = { at: load * 10_000, target: "/", sends: ["sec-fetch-dest: document", "accept: text/html"] };
          const first = { ...page, gives: ["content-type: text/html", validator], answer: html };
          const again = { ...page, gives: [validator], status: 304 };
          const parts = ["/app/main.js", "/app/one-picture.png"].map((target) => ({
            at: load * 10_000 + 100,
            target,
            sends: ["referer: https://api.test/"],
          }));
          return [load === 0 ? first : again, ...parts];
        }).flat();
        const expected = Array.from({ length: loads }, (_, load) => {
          const page = load * 3 + 1;
          return [`${page}>${page + 1} initiator`, `${page}>${page + 2} initiator`];
        }).flat();
        assert.equal(linksIn(talks), expected);
      },
    );
    fc.assert(drawn);
  });

  test("given a 304 whose response was never seen, links nothing", () => {
    const talks = [
      { at: 0, target: "/list", status: 304 },
      { at: 1_000, target: `/items/${ID}` },
    ];
    assert.equal(linksIn(talks), []);
  });
});
