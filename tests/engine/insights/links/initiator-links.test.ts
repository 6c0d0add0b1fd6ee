import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";
import { rounds } from "../../../support/rounds.ts";

const HTML = ["content-type: text/html; charset=utf-8"];
const SCRIPT = ["content-type: text/javascript"];
const JSON_TYPE = ["content-type: application/json"];

const NAMED = {
  document: "<script src=app.js></script>",
  script: 'load("/js/" + "chunk-7f3a.js")',
  chunk: 'fetch("/config.json")',
  config: '{"home":"https://data.test/v2/home"}',
  data: '{"picture":"hero-1.jpg"}',
};

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

  test("given a part that the client had requested before the load, links it in the load all the same", () => {
    const page = { at: 0, target: "/page", gives: HTML, answer: '<img src="/logo.svg">' };
    const again = { at: 100, target: "/logo.svg" };
    assert.equal(linksIn([page, again, { at: -5_000, target: "/logo.svg" }]), ["1>2 initiator"]);
  });

  test("given a part that the load requested before, links it only to a response that named it since", () => {
    const page = { at: 0, target: "/page", gives: HTML, answer: '<img src="/logo.svg"><script src="/sw.js"></script>' };
    const worker = { at: 100, target: "/sw.js", gives: SCRIPT, answer: 'cache.addAll(["/logo.svg"])' };
    const part = (at: number) => ({ at, target: "/logo.svg" });
    assert.equal(linksIn([page, part(60), part(5_000)]), ["1>2 initiator"]);
    assert.equal(linksIn([page, part(60), worker, part(160)]), ["1>2 initiator", "1>3 initiator", "3>4 initiator"]);
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

  test("given a Referer alone, links nothing: markup, scripts or values must name the URL", () => {
    const asked = (answer: string, sends: readonly string[] = []) =>
      linksIn([
        { at: 0, target: "/page?n=1", gives: HTML, answer },
        { at: 3_000, target: "/img/x9.png", sends: ["referer: https://api.test/page?n=1", ...sends] },
      ]);
    assert.equal(asked("<p>none</p>", ["sec-fetch-dest: image"]), []);
    assert.equal(asked("", ["sec-fetch-dest: image"]), []);
    assert.equal(asked('<img src="/img/x9.png">', ["sec-fetch-dest: image"]), ["1>2 initiator"]);
  });

  test("given a Referer that is only an origin, finds the load of the latest page of that origin", () => {
    const pages = [
      { at: 0, target: "/one", gives: HTML, answer: '<img src="https://cdn.test/x.png">' },
      { at: 2_000, target: "/two", gives: HTML, answer: '<img src="https://cdn.test/x.png">' },
    ];
    const part = { at: 2_100, origin: "https://cdn.test", target: "/x.png", sends: ["referer: https://api.test/"] };
    assert.equal(linksIn([...pages, part]), ["2>3 initiator"]);
  });

  /**
   * A page in which each response names the next request: a script that the page injects, a chunk of that script, a
   * configuration, the data of an origin that the configuration names, and a picture below another origin.
   */
  const load = (at: number, named = NAMED): Talk[] => {
    const sends = ["referer: https://api.test/shop"];
    return [
      { at, lasts: 80, ttfb: 40, target: "/shop", gives: HTML, answer: named.document },
      { at: at + 50, lasts: 60, target: "/app.js", gives: SCRIPT, sends, answer: named.script },
      { at: at + 130, lasts: 70, target: "/js/chunk-7f3a.js", gives: SCRIPT, sends, answer: named.chunk },
      { at: at + 220, lasts: 90, target: "/config.json", gives: JSON_TYPE, sends, answer: named.config },
      {
        at: at + 330,
        lasts: 300,
        origin: "https://data.test",
        target: "/v2/home",
        gives: JSON_TYPE,
        sends,
        answer: named.data,
      },
      { at: at + 650, lasts: 40, origin: "https://pictures.test", target: "/w800/hero-1.jpg", sends },
    ];
  };
  const STEPS = [1, 2, 3, 4, 5];

  test("given a page whose scripts inject what they need, links each request to the response that named it", () => {
    assert.equal(
      linksIn(load(0)),
      STEPS.map((from) => `${from}>${from + 1} initiator`),
    );
  });

  test("given the same page loaded again and again in one browser, links each load alike", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1_000, max: 60_000 }), (count, pause) => {
        const loads = Array.from({ length: count }, (_, index) => load(index * pause)).flat();
        const wanted = Array.from({ length: count }, (_, index) =>
          STEPS.map((from) => `${6 * index + from}>${6 * index + from + 1} initiator`),
        );
        assert.equal(linksIn(loads), wanted.flat());
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given responses that repeat their own path, links no later request of that path to them", () => {
    const own = fc.constantFrom<(path: string, query: string) => string>(
      (path) => `{"of":"${path}"}`,
      (path) => `{"links":{"self":{"href":"https://api.test${path}"}}}`,
      (path, query) => `{"self":"${path}${query}"}`,
      (path) => `{"file":"${path.slice(path.lastIndexOf("/") + 1)}"}`,
    );
    const drawn = fc.record({
      own,
      path: fc.constantFrom("/ribbon/summary", "/totals.json", "/v2/by-hour/today"),
      rounds: fc.integer({ min: 2, max: 9 }),
      hasPage: fc.boolean(),
    });
    fc.assert(
      fc.property(drawn, ({ own, path, rounds, hasPage }) => {
        const page = { at: 0, target: "/", gives: HTML, answer: "<script src=/app.js></script>" };
        const calls = Array.from({ length: rounds }, (_, day) => ({
          at: 1_000 + day * 700,
          target: `${path}?day=${day}`,
          gives: JSON_TYPE,
          answer: own(path, `?day=${day}`),
          sends: ["referer: https://api.test/"],
        }));
        assert.equal(linksIn(hasPage ? [page, ...calls] : calls), []);
      }),
    );
  });

  test("given pages of a list that name themselves and the next page, links each to the page before", () => {
    const drawn = fc.record({
      pages: fc.integer({ min: 2, max: 9 }),
      hasLoad: fc.boolean(),
      isFirstBare: fc.boolean(),
    });
    fc.assert(
      fc.property(drawn, ({ pages, hasLoad, isFirstBare }) => {
        const first = { at: 0, target: "/", gives: HTML, answer: "<script src=/app.js></script>" };
        const targetOf = (page: number) => (page === 0 && isFirstBare ? "/v2/items" : `/v2/items?page=${page}`);
        const list = Array.from({ length: pages }, (_, page) => ({
          at: 1_000 + page * 700,
          target: targetOf(page),
          gives: JSON_TYPE,
          answer: `{"of":"/v2/items","self":"${targetOf(page)}","next":"${targetOf(page + 1)}"}`,
          sends: ["referer: https://api.test/"],
        }));
        const from = hasLoad ? 2 : 1;
        const wanted = Array.from({ length: pages - 1 }, (_, page) => `${from + page}>${from + page + 1} initiator`);
        assert.equal(linksIn(hasLoad ? [first, ...list] : list), wanted);
      }),
    );
  });

  test("given a URL that nothing names, links the script that ended last; without the page's markup, nothing", () => {
    const unnamed = { ...NAMED, chunk: "fetch(base + name)" };
    assert.equal(linksIn(load(0, unnamed))[2], "3>4 initiator");
    assert.not.ok(linksIn(load(0, { ...unnamed, document: "" })).includes("3>4 initiator"));
  });

  test("given a page with a script of its own and no other, links what nothing names to the page", () => {
    const asked = (answer: string) =>
      linksIn([
        { at: 0, target: "/page", gives: HTML, answer },
        { at: 900, target: "/items", sends: ["referer: https://api.test/page"] },
      ]);
    assert.equal(asked("<script>fetch(base + name)</script>"), ["1>2 initiator"]);
    assert.equal(asked("<p>fetch</p>"), []);
  });

  test("given a page whose own script sends requests, links them to the page, whatever other script ended since", () => {
    const asked = (own: string) =>
      linksIn([
        { at: 0, target: "/page", gives: HTML, answer: `<script src="/app.js"></script><script>${own}</script>` },
        { at: 50, target: "/app.js", gives: SCRIPT, answer: "draw()", sends: ["referer: https://api.test/page"] },
        { at: 900, target: "/api/stock", sends: ["referer: https://api.test/page"] },
      ]);
    for (const sending of ["await fetch('/api/stock')", "if (1 < 2) fetch(base + name)", "new XMLHttpRequest()"])
      assert.equal(asked(sending), ["1>2 initiator", "1>3 initiator"], sending);
    for (const other of ["count = 1", "import('/app.js')"])
      assert.equal(asked(other), ["1>2 initiator", "2>3 initiator"], other);
  });

  test("given a file that two URLs of the load have, does not take it for a name", () => {
    const picture = (target: string, at: number) => ({ at, target, sends: ["referer: https://api.test/page"] });
    const data = { at: 900, target: "/data", gives: JSON_TYPE, answer: '{"picture":"large.jpg"}' };
    const page = { at: 0, target: "/page", gives: HTML, answer: "<p>none</p>" };
    assert.equal(linksIn([page, data, picture("/a/large.jpg", 1_000)]), ["2>3 initiator"]);
    const both = [page, data, picture("/b/large.jpg", 920), picture("/a/large.jpg", 1_000)];
    assert.equal(
      linksIn(both).filter((link) => link.endsWith("initiator")),
      [],
    );
  });

  test("given what a HAR file says, links the nearest initiator that had a response", () => {
    const found = linksIn([
      { at: 0, target: "/app.js", gives: ["content-type: text/javascript"] },
      { at: 5_000, target: "/data", initiators: ["https://api.test/none.js", "https://api.test/app.js"] },
    ]);
    assert.equal(found, ["1>2 initiator"]);
  });
});

const member = fc.constantFrom("apiBase", "base_url", "uploadHost", "endpoint", "API_ORIGIN");
const host = fc.stringMatching(/^[a-z]{3,10}$/);

const configured = (name: string, base: string, before: readonly Talk[], after: readonly Talk[]) =>
  linksIn([
    ...before,
    { at: 1_000, target: "/config.json", gives: JSON_TYPE, answer: JSON.stringify({ theme: "dark", [name]: base }) },
    ...after,
  ]).filter((link) => link.endsWith("initiator"));

describe("origins named by a configuration", (test) => {
  test("given a base, links the first requests below it, and later ones not", () => {
    fc.assert(
      fc.property(member, host, fc.constantFrom("", "/", "/v2"), (name, own, path) => {
        const origin = `https://${own}.example`;
        const asked = [2_000, 2_010, 9_000].map((at, index) => ({ at, origin, target: `/v2/part${index}` }));
        assert.equal(configured(name, origin + path, [], asked), ["1>2 initiator", "1>3 initiator"]);
      }),
    );
  });

  test("given an origin known before, another path, or an ordinary member, links nothing", () => {
    fc.assert(
      fc.property(member, host, (name, own) => {
        const origin = `https://${own}.example`;
        const asked = { at: 2_000, origin, target: "/v2/part" };
        assert.equal(configured(name, origin, [{ at: 0, origin, target: "/v2/early" }], [asked]), []);
        assert.equal(configured(name, `${origin}/v3`, [], [asked]), []);
        assert.equal(configured("homepage", origin, [], [asked]), []);
      }),
    );
  });
});
