import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn } from "../../../support/linked.ts";

const HTML = ["content-type: text/html; charset=utf-8"];

describe("links by initiator", (test) => {
  for (const [what, answer] of [
    ["a style sheet", '<link rel="stylesheet" href="/a/x.css">'],
    ["a picture without quotes", "<img src=x.css>"],
    ["a picture behind a loose apostrophe", "<p title=it's>1 < 2</p><img alt='>' src=x.css>"],
    ["a refresh", '<meta http-equiv=refresh content=" 5 ; url=x.css">'],
    ["a candidate of srcset", "<img srcset='b.png 1x, ./x.css 2x'>"],
    ["the URL of a style", "<div style='background:url(x.css)'>"],
    ["a base address", "<base href='https://api.test/a/'><img src='x.css'>"],
    ["a frame", "<iframe src='https://api.test/a/x.css'></iframe>"],
  ] as const) {
    test(`given a page that names it by ${what}, links the part while the page still comes`, () => {
      const found = linksIn([
        { at: 0, lasts: 900, ttfb: 100, target: "/a/page", gives: HTML, answer },
        { at: 300, target: "/a/x.css" },
      ]);
      assert.equal(found, ["1>2 initiator"]);
    });
  }

  test("given a part that began before the page's first byte, links nothing", () => {
    const page = { at: 0, lasts: 900, ttfb: 400, target: "/page", gives: HTML, answer: '<img src="/x.png">' };
    assert.equal(linksIn([page, { at: 300, target: "/x.png" }]), []);
  });

  test("given the same part on each page, links it to the page that was loaded last", () => {
    const page = (at: number) => ({ at, target: "/page", gives: HTML, answer: '<img src="/logo.svg">' });
    const part = (at: number) => ({ at, target: "/logo.svg" });
    assert.equal(linksIn([page(0), part(60), page(5_000), part(5_060)]), ["1>2 initiator", "3>4 initiator"]);
  });

  test("given any number of pages that name a part, links the part to the latest 8 at most", () => {
    const linked = (pages: number) => {
      const named = Array.from({ length: pages }, (_, index) => ({
        at: index * 1_000,
        target: `/page/${index}`,
        gives: HTML,
        answer: '<img src="/logo.svg">',
      }));
      const asked = named.toReversed().map(({ target }, index) => ({
        at: 30_000 + index * 1_000,
        target: "/logo.svg",
        sends: [`referer: https://api.test${target}`],
      }));
      return linksIn([...named, ...asked]);
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (pages) => {
        const latest = Array.from({ length: Math.min(8, pages) }, (_, index) => index);
        assert.equal(
          linked(pages),
          latest.map((index) => `${pages - index}>${pages + index + 1} initiator`),
        );
      }),
    );
  });

  test("given a part that the client had had before, links it soon after the page, or where its Referer says so", () => {
    const page = { at: 0, target: "/page", gives: HTML, answer: '<img src="/logo.svg">' };
    const again = (at: number, sends: readonly string[] = []) =>
      linksIn([page, { at, target: "/logo.svg", sends }, { at: -5_000, target: "/logo.svg" }]);
    assert.equal(again(100), ["1>2 initiator"]);
    assert.equal(again(60_000), []);
    assert.equal(again(60_000, ["referer: https://api.test/page"]), ["1>2 initiator"]);
  });

  test("given a link for persons that the client had followed before, links nothing", () => {
    const page = { at: 5_000, target: "/page", gives: HTML, answer: '<a href="/basket">Basket</a>' };
    assert.equal(linksIn([page, { at: 9_000, target: "/basket" }]), ["1>2 initiator"]);
    assert.equal(linksIn([page, { at: 9_000, target: "/basket" }, { at: 0, target: "/basket" }]), []);
  });

  test("given a menu on every page, links nothing to any of them", () => {
    const pages = ["/a", "/b", "/c", "/d"].map((target, index) => ({
      at: index * 3_000,
      target,
      gives: HTML,
      answer: '<a href="/basket">Basket</a>',
    }));
    assert.equal(linksIn([...pages, { at: 20_000, target: "/basket" }]), []);
  });

  test("given addresses in CSS, scripts, JSON, Link headers and playlists, links them", () => {
    const named = (type: string, answer: string, gives: readonly string[] = []) =>
      linksIn([
        { at: 0, target: "/dir/first", gives: [`content-type: ${type}`, ...gives], answer },
        { at: 2_000, target: "/dir/next/7" },
      ]);
    assert.equal(named("text/css", '@import "next/7";'), ["1>2 initiator"]);
    assert.equal(named("text/javascript", 'import("./next/7")'), ["1>2 initiator"]);
    assert.equal(named("application/json", '{"self":"/dir/first","more":{"href":"/dir/next/7"}}'), ["1>2 initiator"]);
    assert.equal(named("application/json", "{}", ['link: </dir/next/7>; rel="next"']), ["1>2 initiator"]);
    assert.equal(named("application/vnd.apple.mpegurl", "#EXTM3U\n#EXTINF:4,\nnext/7\n"), ["1>2 initiator"]);
    assert.equal(named("application/json", '{"note":"dir next 7"}'), []);
  });

  test("given a Referer of a part, links the document, and nothing for what a script or a person asked", () => {
    const page = { at: 0, target: "/page?n=1", gives: HTML };
    const asked = (destination: string) =>
      linksIn([
        page,
        { at: 3_000, target: "/x", sends: ["referer: https://api.test/page?n=1", `sec-fetch-dest: ${destination}`] },
      ]);
    assert.equal(asked("image"), ["1>2 initiator"]);
    assert.equal(asked("empty"), []);
    assert.equal(asked("document"), []);
  });

  test("given a Referer that is only an origin, links the latest page of that origin if it is that URL", () => {
    const pages = (target: string) => [
      { at: 0, target: "/", gives: HTML },
      { at: 2_000, target, gives: HTML },
      {
        at: 5_000,
        origin: "https://cdn.test",
        target: "/x",
        sends: ["referer: https://api.test/", "sec-fetch-dest: image"],
      },
    ];
    assert.equal(linksIn(pages("/")), ["2>3 initiator"]);
    assert.equal(linksIn(pages("/other")), []);
  });

  test("given what a HAR file says, links the nearest initiator that had a response", () => {
    const found = linksIn([
      { at: 0, target: "/app.js", gives: ["content-type: text/javascript"] },
      { at: 5_000, target: "/data", initiators: ["https://api.test/none.js", "https://api.test/app.js"] },
    ]);
    assert.equal(found, ["1>2 initiator"]);
  });
});
