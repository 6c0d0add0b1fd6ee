import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type PageEndpoint, type PageReport, reportHtml } from "../../../src/engine/interchange/report-html.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import type { Finding } from "../../../src/engine/model/finding.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { NO_WAITING } from "../../../src/engine/model/where.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const HISTOGRAM = [
  { lo: 10, hi: 20, count: 8 },
  { lo: 20, hi: null, count: 1 },
];

const FACTS = { version: "1.2.3", madeAt: "2026-01-01T00:00:00.000Z", redact: true };

const FINDING: Finding = {
  kind: "slow-server",
  endpoint: { method: "GET", origin: "https://a.test", path: "/x", operation: null },
  origin: null,
  client: null,
  attribute: null,
  count: 20,
  time: 840,
  bytes: null,
  confidence: "likely",
  exchanges: [3 as ExchangeId],
  summary: "It takes long.",
  advice: "Look.",
  evidence: [{ name: "median", value: "840 ms" }],
  basis: "Measured.",
};

function pageOf(change: Partial<SourceReport>, endpoints: readonly PageEndpoint[] = []): PageReport {
  const report: SourceReport = {
    where: NO_WAITING,
    schema: 1,
    source: "/home/ann/a.har",
    exchanges: 12,
    endpoints: 1,
    clients: 1,
    duration: 9_000,
    waiting: 900,
    findings: [FINDING],
    uncounted: 0,
    leftOut: [],
    leftOutCount: 0,
    ...change,
  };
  return { report, endpoints, named: null };
}

function row(path: string, p50: number, p95: number, p99: number): PageEndpoint {
  const endpoint = `GET https://a.test${path}` as Endpoint;
  const name = { endpoint, method: "GET", origin: "https://a.test", path, operation: null };
  return {
    ...name,
    requests: 9,
    p50,
    p95,
    p99,
    errorRate: 0,
    avgSize: 1,
    samples: 9,
    histogram: HISTOGRAM,
  } as unknown as PageEndpoint;
}

const htmlOf = (pages: readonly PageReport[], facts = FACTS) => [...reportHtml(pages, facts)].join("");

/** The texts between tags, with entities resolved. */
function textsIn(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

describe("HTML report", (test) => {
  test("given a report, the page has its findings and endpoints, and the file's name without its folder", () => {
    const text = textsIn(htmlOf([pageOf({}, [row("/x?token=secret1", 10, 20, 1_000)])]));
    for (const part of [
      "Findings: a.har",
      "It takes long.",
      "840 ms",
      "Requests 3",
      "Made by Weir 1.2.3",
      "were removed",
    ])
      assert.ok(text.includes(part), part);
    assert.not.match(text, /ann|secret1/);
    assert.match(textsIn(htmlOf([pageOf({ findings: [] })])), "Nothing stands out.");
    assert.match(htmlOf([pageOf({})], { ...FACTS, redact: false }), "were not removed");
  });

  test("given a session, its title has the label and the date, and its id is nowhere", () => {
    const source = "20261128T210511123-a1b2c3";
    const named = { name: "before <b>", title: "shop.test", startedAt: Date.UTC(2026, 10, 28, 21, 5) as Instant };
    const html = htmlOf([{ ...pageOf({}), named }]);
    assert.match(html, "<title>Findings: before &lt;b&gt;, 2026-11-28 21:05 UTC</title>");
    assert.not.ok(htmlOf([{ ...pageOf({ source }), named }]).includes(source));
    assert.match(htmlOf([{ ...pageOf({}), named: { ...named, name: "" } }]), "Findings: shop.test, 2026-11-28");
    const nameless = { ...named, name: "", title: "" };
    assert.match(htmlOf([{ ...pageOf({}), named: nameless }]), "Findings: Session, 2026-11-28");
  });

  test("given a session named by a URL with a secret, shows it only without redaction", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{16,24}$/), (secret) => {
        const named = { name: `https://a.test/x?token=${secret}`, title: "", startedAt: 0 as Instant };
        const pages = [{ ...pageOf({}), named }];
        assert.not.ok(htmlOf(pages).includes(secret));
        assert.ok(htmlOf(pages, { ...FACTS, redact: false }).includes(secret));
      }),
    );
  });

  test("given a finding at a listed endpoint, its evidence leads to the endpoint's row, which has a histogram", () => {
    const pages = [pageOf({}, [row("/y", 1, 2, 3), row("/x", 10, 20, 30)]), pageOf({}, [row("/x", 10, 20, 30)])];
    const html = htmlOf(pages);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    assert.equal(links, ["s1-e2", "s2-e1"]);
    for (const id of links) assert.match(html, new RegExp(`<tr id="${id}"><th scope="row">GET https://a.test/x</th>`));
    assert.match(html, "<title>10 to 20 ms: 8 requests</title>");
    assert.match(html, "<title>20 ms and more: 1 request</title>");
    assert.not.match(htmlOf([pageOf({}, [row("/y", 1, 2, 3)])]), /href="#/);
  });

  test("given a page load, lists its critical path unfolded, with a bar for each step at its place in time", () => {
    const endpoint = { method: "GET", origin: "https://a.test", path: "/<i>", operation: null };
    const step = { exchange: 1 as ExchangeId, endpoint, meanwhile: null, phase: "ttfb" } as const;
    const path = [
      { ...step, gap: 0, time: 100 },
      { ...step, gap: 50, time: 50 },
    ];
    const loads = [200, 160].map((duration) => ({ start: 0 as Instant, duration, path }));
    const html = htmlOf([pageOf({ where: { ...NO_WAITING, loads } })]);
    assert.match(html, '</ol>\n<p class="note">1 more load like this one: 160 ms</p>');
    const steps = [...html.matchAll(/<li>([^<]+)<svg[^>]*><rect (?:class="(gap)" )?x="([\d.]+)" width="([\d.]+)"/g)];
    assert.equal(
      steps.map(([, text, kind, ...place]) => [text, kind, ...place]),
      [
        ["100 ms GET /&lt;i&gt;: mostly server", undefined, "0.00", "50.00"],
        ["50 ms until the next step began", "gap", "50.00", "25.00"],
        ["50 ms GET /&lt;i&gt;: mostly server", undefined, "75.00", "25.00"],
      ],
    );
    assert.not.match(html.slice(0, html.indexOf("<h2>Findings</h2>")), "<details");
  });

  test("given any number of parts, the list explains the colours of the bar of all waiting", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (count) => {
        const parts = Array.from({ length: count }, (_, index) => {
          const endpoint = { method: "GET", origin: "https://a.test", path: `/${index}`, operation: null };
          return { endpoint, phase: "ttfb", time: 10, share: 1 / count, requests: 1 } as const;
        });
        const html = htmlOf([pageOf({ where: { ...NO_WAITING, waiting: 10 * count, parts } })]);
        const pieces = [...html.matchAll(/<rect class="(p\d)"[^>]*><title>([^<]+)/g)].map(([, kind, text]) => [
          kind,
          text,
        ]);
        const listed = [...html.matchAll(/<li>([^<]+)<svg[^>]*><rect class="(p\d)"/g)].map(([, text, kind]) => [
          kind,
          text,
        ]);
        assert.equal(listed, pieces);
        const colours = pieces.map(([kind]) => html.match(new RegExp(`rect\\.${kind} { fill: (#\\w+)`))?.[1]);
        assert.is(new Set(colours).size, pieces.length);
        assert.not(colours.includes(undefined));
      }),
    );
  });

  test("given waiting, says where it went, with a bar for each part, and no captured text as markup", () => {
    const endpoint = { method: "GET", origin: "https://a.test", path: "/<b>", operation: null };
    const where = {
      ...NO_WAITING,
      waiting: 900,
      parts: [{ endpoint, phase: "ttfb", time: 900, share: 1, requests: 1 }],
      slowest: [
        {
          exchange: 1 as ExchangeId,
          endpoint,
          latency: 900,
          phase: "ttfb",
          phaseTime: 900,
          usual: null,
          usualOf: null,
        },
      ],
    } as const;
    const html = htmlOf([pageOf({ where })]);
    assert.match(textsIn(html), "100 % of 900 ms: the server of GET /<b> (900 ms in 1 request)");
    assert.match(textsIn(html), "900 ms GET /<b> (request 1): server 900 ms");
    assert.match(html, 'width="100.00"');
    assert.not.match(html, "<b>\n");
    assert.not.match(html, "/<b>");
  });

  test("given any times, bars are proportional and p50, p95 and p99 share one scale", () => {
    const times = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(times, (all) => {
        const html = htmlOf([pageOf({ findings: all.map((time) => ({ ...FINDING, time })) })]);
        const widths = [...html.matchAll(/<rect x="0.00" width="([\d.]+)"/g)].map(([, width]) => Number(width));
        const longest = Math.max(...all);
        assert.is(widths.length, all.length);
        for (const [index, time] of all.entries())
          assert.ok(Math.abs((widths[index] ?? 0) - Math.max(0.4, (time / longest) * 100)) < 0.01);
      }),
    );
    const html = htmlOf([pageOf({}, [row("/a", 10, 100, 1_000), row("/b", 100, 100, 100)])]);
    const places = [...html.matchAll(/<rect (?:class="mark" )?x="([\d.]+)" width="([\d.]+)"/g)].slice(1);
    const [spread, mark, other] = places.map(([, x, width]) => [Number(x), Number(width)]);
    // Two decades from 10 to 1,000: one decade is half of the width.
    assert.equal([spread, mark?.[0], other?.[0]], [[0, 50], 99, 50]);
  });

  test("given hostile captured text, the page has no active element and its policy forbids loading", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (hostile) => {
        const text = `<script>alert(1)</script>"'&${hostile}`;
        const finding = {
          ...FINDING,
          summary: text,
          advice: text,
          evidence: [{ name: text, value: text }],
          basis: text,
        };
        const html = htmlOf([pageOf({ source: text, findings: [finding] }, [row(text, 1, 2, 3)])]);
        const tags = new Set([...html.matchAll(/<([a-z!][\w]*)/gi)].map(([, name]) => name?.toLowerCase()));
        for (const name of ["script", "img", "a", "iframe", "link", "object"]) assert.not(tags.has(name), name);
        assert.not.match(html, /\son\w+=/);
        assert.match(html, "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">");
      }),
    );
  });
});
