import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PageFinder } from "../../../../src/engine/session/table/page-finder.ts";
import { describe } from "../../../support/describe.ts";
import { requestStarted } from "../../../support/probe-event.ts";

interface Asked {
  readonly url: string;
  readonly dest?: string;
  readonly referer?: string;
  readonly client?: string;
}

/** The pages of requests in that order. */
function pagesOf(requests: readonly Asked[]): readonly (string | null)[] {
  const pages = new PageFinder();
  return requests.map(({ url, dest, referer, client = "browser" }) => {
    const { origin, pathname, search } = new URL(url);
    const fields = [
      ...(dest === undefined ? [] : [`sec-fetch-dest: ${dest}`]),
      ...(referer === undefined ? [] : [`Referer: ${referer}`]),
    ];
    const target = pathname + search;
    const head = [`GET ${target} HTTP/1.1`, "Host: x", ...fields, "", ""].join("\r\n");
    return pages.pageOf(requestStarted({ origin, target, head }), client);
  });
}

const SHOP = "https://a.test/shop?x=1";
const document = (url: string, client = "browser"): Asked => ({ url, dest: "document", client });

describe("pages of exchanges", (test) => {
  test("given a document and what names it or its parts, all are of that page", () => {
    assert.equal(
      pagesOf([
        document(SHOP),
        { url: "https://a.test/shop.css", referer: SHOP },
        { url: "https://a.test/font", referer: "https://a.test/shop.css" },
        { url: "https://a.test/frame", dest: "iframe", referer: SHOP },
        { url: "https://a.test/in-frame.js", referer: "https://a.test/frame" },
        { url: "https://cdn.test/x.js", referer: "https://a.test/" },
      ]),
      Array.from({ length: 6 }, () => SHOP),
    );
  });

  test("given another document, it is a page of its own, also where it was reached by a link", () => {
    const next = "https://a.test/next";
    assert.equal(
      pagesOf([
        document(SHOP),
        { ...document(next), referer: SHOP },
        { url: "https://cdn.test/x.js", referer: "https://a.test/" },
        { url: "https://a.test/late", referer: SHOP },
      ]),
      [SHOP, next, next, SHOP],
    );
  });

  test("given no document, another client or no Referer, no page is known", () => {
    assert.equal(
      pagesOf([
        { url: "https://a.test/early", referer: SHOP },
        document(SHOP),
        { url: "https://a.test/x", referer: SHOP, client: "other" },
        { url: "https://a.test/x" },
        { url: "https://a.test/x", referer: "https://a.test/unknown" },
        { url: "https://cdn.test/x", referer: "https://b.test/" },
        // A same-origin Referer is a whole URL: this is the root document, which was not seen.
        { url: "https://a.test/y", referer: "https://a.test/" },
      ]),
      [null, SHOP, null, null, null, null, null],
    );
  });

  test("given the page's name of a HAR file, that counts", () => {
    const pages = new PageFinder();
    const head = "GET / HTTP/1.1\r\nSec-Fetch-Dest: document\r\n\r\n";
    assert.is(pages.pageOf({ ...requestStarted({ head }), page: "page_1" }, "browser"), "page_1");
  });

  test("given requests of two clients in any order, each client's pages are as if it were alone", () => {
    const urls = ["https://a.test/", "https://a.test/b", "https://c.test/d"];
    const asked = fc.record({
      url: fc.constantFrom(...urls),
      dest: fc.constantFrom(undefined, "document", "script"),
      referer: fc.constantFrom(undefined, ...urls),
      client: fc.constantFrom("one", "two"),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 30 }), (drawn) => {
        const requests = drawn as readonly Asked[];
        const all = pagesOf(requests);
        for (const client of ["one", "two"]) {
          const isOwn = (one: Asked) => one.client === client;
          assert.equal(
            all.filter((_, index) => isOwn(requests[index] as Asked)),
            pagesOf(requests.filter(isOwn)),
          );
        }
      }),
    );
  });

  test("given a URL above 2,048 characters, remembers no page for it", () => {
    const long = `https://a.test/${"x".repeat(3_000)}`;
    assert.equal(pagesOf([document(long), { url: "https://a.test/part.css", referer: long }]), [null, null]);
  });

  test("given documents with long URLs, remembers a limited number of characters", () => {
    const many = Array.from({ length: 10_000 }, (_, each) => document(`https://a.test/${each}/${"x".repeat(2_000)}`));
    const part = (url: string) => ({ url: "https://a.test/part.css", referer: url });
    const pages = pagesOf([...many, part(many[0]?.url ?? ""), part(many.at(-1)?.url ?? "")]);
    assert.is(pages.at(-2), null);
    assert.is(pages.at(-1), many.at(-1)?.url);
  });
});
