import * as assert from "uvu/assert";
import type { SlowRecord } from "../../../../src/engine/messages/latency-messages.ts";
import type { Outcome, Tag } from "../../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../../src/engine/model/phases.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { timingOf } from "../../../../src/ui/views/inspector/timing.ts";
import { describe } from "../../../support/describe.ts";
import { checkout, STATS } from "./detail.ts";

describe("Timing tab", (test) => {
  test("given an exchange, lists the five phases in order, with upload and Server-Timing below TTFB", () => {
    assert.equal(
      timingOf(checkout()).rows.map(({ name, figure }) => [name, figure]),
      [
        ["DNS", "4.1"],
        ["Connect", "21.3"],
        ["TLS", "28.7"],
        ["TTFB", "1,816.4"],
        ["upload, body sent", "3.2"],
        ["server: auth", "41.0"],
        ["server: db", "212.0"],
        ["server: payment", "1,490.0"],
        ["Transfer", "96.3"],
        ["Weir", ""],
      ],
    );
  });

  test("given phases, places their bars on a ruler that ends at a round number", () => {
    const { ticks, rows } = timingOf(checkout());
    assert.equal(
      ticks.map(({ text }) => text),
      ["0", "500 ms", "1 s", "1.5 s", "2 s"],
    );
    assert.equal(rows.find(({ id }) => id === "ttfb")?.spans, [{ left: "2.705%", width: "90.820%" }]);
  });

  test("given the endpoint's percentiles, marks them and places their labels apart", () => {
    assert.equal(
      timingOf(checkout()).marks.map(({ name, figure, side }) => [name, figure, side]),
      [
        ["p50", "685", "is-left"],
        ["p95", "1,614", "is-left"],
        ["p99", "1,896", "is-left"],
      ],
    );
  });

  test("given a percentile close to the one before, puts its label right of the line", () => {
    const near = checkout({ stats: { ...STATS, p50: 900, p95: 1000, p99: 1900 } });
    assert.equal(
      timingOf(near).marks.map(({ side }) => side),
      ["is-left", "is-right", "is-left"],
    );
  });

  test("given a label without room on either side, moves it a line higher without covering another", () => {
    const heights = (p50: number, p95: number, p99: number) =>
      timingOf(checkout({ stats: { ...STATS, p50, p95, p99 } })).marks.map(({ side, label }) => [side, label.bottom]);
    assert.equal(heights(96, 240, 600), [
      ["is-right", "0px"],
      ["is-right", "14px"],
      ["is-right", "0px"],
    ]);
    assert.equal(heights(40, 60, 80), [
      ["is-right", "0px"],
      ["is-right", "14px"],
      ["is-right", "28px"],
    ]);
    assert.equal(heights(685, 1_200, 1_700), [
      ["is-left", "0px"],
      ["is-left", "0px"],
      ["is-right", "0px"],
    ]);
  });

  test("given percentiles far beyond this exchange, leaves them out to keep the bars readable", () => {
    const fast = checkout({ latency: 40, spans: [{ phase: "ttfb", from: 0, to: 40 }], responseHead: null });
    assert.equal(timingOf(fast).marks, []);
    assert.is(timingOf(fast).ticks.at(-1)?.text, "40 ms");
  });

  test("given an exchange in flight, scales the ruler by the endpoint's percentiles, or shows none without them", () => {
    const flying = { latency: null, spans: [], responseHead: null };
    const among = timingOf(checkout(flying, { outcome: null }));
    assert.equal([among.ticks.at(-1)?.text, among.marks.length], ["2 s", 3]);
    const alone = timingOf(checkout({ ...flying, stats: null }, { outcome: null }));
    assert.equal([alone.ticks, alone.marks], [[], []]);
  });

  for (const [protocol, answer, told] of [
    ["http/1.1", "HTTP/1.1 200 OK", "new, HTTP/1.1"],
    ["h2", "HTTP/2 200", "new, HTTP/2"],
    ["h2", "HTTP/1.1 200 OK", "new, HTTP/1.1 to the server and HTTP/2 to the client"],
    ["http/1.1", "HTTP/2 200", "new, HTTP/2 to the server and HTTP/1.1 to the client"],
    ["h2", null, "new, HTTP/2"],
  ] as const) {
    test(`given ${protocol} from the client and ${answer ?? "nothing"} from the server, names the versions used`, () => {
      const responseHead = answer === null ? null : `${answer}\r\n\r\n`;
      const { facts } = timingOf(checkout({ responseHead }, { protocol }));
      assert.is(facts.find(({ name }) => name === "Connection")?.value, told);
    });
  }

  test("given an HTTP/2 stream, names its connection, the streams beside it and the exchange that opened it", () => {
    const openedBy = { method: "GET", target: "/x" };
    const told = (reused: boolean, others: number, more: boolean, by: typeof openedBy | null) =>
      timingOf(checkout({ serverSharing: { others, more, openedBy: by } }, { stream: 7, reused })).connectionTexts;
    assert.equal(told(true, 12, false, openedBy), [
      "Stream 7 of connection 3 (HTTP/2), shared with up to 12 other exchanges at once; opened by GET /x. " +
        "The connection was reused, so DNS, Connect and TLS are not counted.",
    ]);
    assert.match(
      told(true, 1, true, null)[0] ?? "",
      /shared with at least 1 other exchange at once\. The connection was reused/,
    );
    assert.equal(told(false, 0, false, null), [
      "Stream 7 of connection 3 (HTTP/2), the only stream at the time; the connection was opened for this exchange.",
    ]);
  });

  test("given HTTP/1.1, says who opened a reused connection, and nothing for a new one", () => {
    const serverSharing = { others: 0, more: false, openedBy: { method: "GET", target: "/x" } };
    assert.equal(timingOf(checkout({ serverSharing }, { reused: true })).connectionTexts, [
      "Connection 3; opened by GET /x. The connection was reused, so DNS, Connect and TLS are not counted.",
    ]);
    assert.equal(timingOf(checkout()).connectionTexts, []);
    const busy = timingOf(checkout({}, { uncertainty: 7 })).connectionTexts;
    assert.equal(busy, ["Weir was busy: times uncertain by up to 7 ms."]);
    assert.equal(timingOf(checkout({ serverSharing: null }, { connection: null, reused: null })).connectionTexts, []);
  });

  test("given a long target in a sentence, cuts it to 79 characters", () => {
    const openedBy = { method: "GET", target: `/${"a".repeat(4_000)}` };
    const serverSharing = { others: 0, more: false, openedBy };
    const [told = ""] = timingOf(checkout({ serverSharing }, { reused: true })).connectionTexts;
    assert.match(told, /; opened by GET \/a{78}…\. The connection was reused/);
  });

  test("given a multiplexed client connection, describes the client's side too", () => {
    const { connectionTexts } = timingOf(
      checkout({ clientSharing: { others: 2, more: false, openedBy: null } }, { protocol: "h2", clientStream: 5 }),
    );
    assert.equal(connectionTexts, [
      "Client side: stream 5 of connection 2 (HTTP/2), shared with up to 2 other exchanges at once.",
    ]);
  });

  for (const [waitedFor, reason] of [
    ["connection", "for a connection that another exchange was opening"],
    ["stream", "for a free stream, because the server's limit was reached"],
    ["sign", "while Weir checked an idle connection"],
    ["retry", "on a reused connection that closed without a response, and was sent again"],
    ["unsaid", "before it was sent; the HAR file gives no reason"],
  ] as const) {
    test(`given waiting ${reason}, shows a bar before the phases and a sentence`, () => {
      const { rows, connectionTexts } = timingOf(checkout({ wait: { waitedFor, from: 0.2, to: 40.3 } }));
      assert.equal([rows[0]?.name, rows[0]?.figure, rows[0]?.bar], ["Waiting", "40.1", "phase-wait"]);
      assert.equal(connectionTexts, [`The request waited 40.1 ms ${reason}.`]);
    });
  }

  test("given gaps filled by Weir, shows Weir's own time as one row with a piece for each gap", () => {
    const pieces = [
      { phase: "weir", from: 0, to: 2 },
      ...checkout().spans.map((span) => ({ ...span, from: span.from + 2, to: span.to + 2 })),
      { phase: "weir", from: 1_968.8, to: 1_970.8 },
    ] as const;
    const row = timingOf(checkout({ spans: pieces })).rows.find(({ id }) => id === "weir");
    assert.equal([row?.name, row?.bar, row?.spans.length, row?.figure], ["Weir", "phase-weir", 2, "4.0"]);
  });

  test("given a response by Weir itself, shows how long that took; none if a server was asked or the row was imported", () => {
    const { exchange } = checkout();
    const asked = { domainLookupStart: null, connectStart: null, requestStart: null };
    const ownOf = (instants: Partial<Instants>, tags: readonly Tag[] = []) => {
      const changed = { ...exchange, tags, instants: { ...exchange.instants, ...asked, ...instants } };
      return timingOf(checkout({ exchange: changed })).rows.find(({ name }) => name === "Weir's own response")?.figure;
    };
    const { startTime } = exchange.instants;
    const [headReceived, responseStart] = [startTime + 1, startTime + 3.5] as [Instant, Instant];
    assert.is(ownOf({ headReceived, responseStart }), "2.5");
    assert.is(ownOf({ headReceived, responseStart }, ["imported"]), undefined);
    for (const name of ["domainLookupStart", "connectStart", "requestStart"] as const)
      assert.is(ownOf({ headReceived, responseStart, [name]: headReceived }), undefined, name);
    assert.is(ownOf({ headReceived, responseStart: null }), undefined);
  });

  test("given no waiting, shows no row for it", () => {
    assert.is(timingOf(checkout()).rows[0]?.name, "DNS");
  });

  test("given phases done for another exchange, says so instead of showing a length", () => {
    const { rows } = timingOf(checkout({ spans: [] }, { reused: true, waitedFor: "connection" }));
    assert.is(rows.find(({ id }) => id === "tls")?.word, "done for another exchange");
  });

  test("given a phase that did not happen, shows no bar and a reason instead of 0", () => {
    const reused = timingOf(checkout({ spans: [{ phase: "ttfb", from: 0, to: 10 }] }, { reused: true }));
    const dns = reused.rows.find(({ id }) => id === "dns");
    assert.equal([dns?.spans, dns?.word, dns?.figure], [[], "connection reused", ""]);
    for (const isReused of [true, false]) {
      const plain = timingOf(checkout({ spans: [] }, { origin: "http://api.shop.test", reused: isReused }));
      assert.is(plain.rows.find(({ id }) => id === "tls")?.word, "plain HTTP");
    }
    const flying = timingOf(checkout({ spans: [], latency: null }, { outcome: null, reused: null }));
    assert.is(flying.rows.find(({ id }) => id === "ttfb")?.word, "not known yet");
    assert.is(flying.facts.find(({ name }) => name === "Connection")?.value, "not known yet");
  });

  test("given the endpoint's percentiles, compares the latency with them in words, or says why that is impossible", () => {
    assert.is(timingOf(checkout()).comparison, "2.9x the endpoint's p50, 353 ms over its p95");
    assert.is(timingOf(checkout({ latency: 500 })).comparison, "0.7x the endpoint's p50, 1,114 ms under its p95");
    assert.match(timingOf(checkout({ stats: null })).comparison, /fewer than 5 requests/);
    // Fast among similar requests, but still in the list of slow requests.
    const slow = { reasons: ["fixed"], fixedThreshold: 400, cause: null } as unknown as SlowRecord;
    assert.is(
      timingOf(checkout({ latency: 500, slow })).comparison,
      "0.7x the endpoint's p50, 1,114 ms under its p95. Over the 400 ms threshold.",
    );
    assert.match(
      timingOf(checkout({ stats: null, slow })).comparison,
      /5 requests in this session\. Over the 400 ms threshold\.$/,
    );
    assert.match(
      timingOf(checkout({ stats: { ...STATS, p50: null, p95: null, p99: null } })).comparison,
      /no latencies/,
    );
    assert.match(timingOf(checkout({ latency: null }, { outcome: null })).comparison, /In flight/);
  });

  test("given a slow exchange, names its cause in the words of the list of slow requests", () => {
    const cause = { phase: "ttfb", length: 1_816, median: 640, excess: 1_176, isUsual: false };
    const slow = { reasons: ["p95"], fixedThreshold: null, cause, upload: null, wait: null } as unknown as SlowRecord;
    assert.is(
      timingOf(checkout({ slow })).comparison,
      "2.9x the endpoint's p50, 353 ms over its p95; the server took 1,176 ms longer than usual.",
    );
    const limited = { ...slow, reasons: ["fixed"], fixedThreshold: 400 } as unknown as SlowRecord;
    assert.match(
      timingOf(checkout({ latency: 500, slow: limited })).comparison,
      /under its p95\. Over the 400 ms threshold; the server took 1,176 ms longer than usual\.$/,
    );
    const waited = { ...slow, cause: null, wait: { waitedFor: "stream", from: 0, to: 900 } } as unknown as SlowRecord;
    assert.is(timingOf(checkout({ slow: waited })).comparison, "2.9x the endpoint's p50, 353 ms over its p95");
  });

  test("given a failure, shows the time until the failure, and that a cut body did not end", () => {
    const outcome: Outcome = { kind: "failed", errorType: "response-truncated", status: 200, detail: "" };
    const spans = checkout().spans.slice(0, 4);
    const { rows } = timingOf(checkout({ latency: null, failedAfter: 1_900, spans }, { outcome }));
    const last = rows.at(-1);
    assert.equal([last?.name, last?.figure, last?.spans[0]?.left], ["until the failure", "29.5", "93.525%"]);
    assert.is(rows.find(({ id }) => id === "transfer")?.word, "did not end");
    const unanswered = checkout({ latency: null, failedAfter: 1_900, spans: spans.slice(0, 3) }, { outcome });
    assert.is(timingOf(unanswered).rows.find(({ id }) => id === "transfer")?.word, "did not happen");
    assert.is(timingOf(unanswered).rows.at(-1)?.figure, "1,845.9");
    const atOnce = checkout({ latency: null, failedAfter: 1_870.5, spans }, { outcome });
    assert.is(timingOf(atOnce).rows.at(-1)?.name, "Weir");
  });

  test("given several Server-Timing metrics, names the longest with its share of TTFB", () => {
    assert.equal(timingOf(checkout()).facts[0], { name: "Server-Timing", value: "payment, 82 % of TTFB" });
  });
});
