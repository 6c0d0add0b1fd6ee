import * as assert from "uvu/assert";
import type { TrafficRecord } from "../../../../src/engine/messages/traffic-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { ColumnName } from "../../../../src/ui/views/traffic/columns.ts";
import { footerOf, trafficRowOf } from "../../../../src/ui/views/traffic/rows.ts";
import { describe } from "../../../support/describe.ts";

const START = 1_700_000_000_000 as Instant;

function record(change: Partial<TrafficRecord> = {}): TrafficRecord {
  return {
    id: 1242 as ExchangeId,
    startTime: START,
    method: "GET",
    origin: "https://api.shop.test",
    target: "/v1/cart?full=1",
    operation: null,
    status: 200,
    errorType: null,
    contentType: "application/json",
    requestBodySize: 0,
    encodedBodySize: 418,
    latency: 1086.4,
    failedAfter: null,
    inFlight: false,
    sessionEnd: null,
    uncertainty: 0,
    spans: [
      { phase: "ttfb", from: 0.4, to: 1060 },
      { phase: "transfer", from: 1060, to: 1086.4 },
    ],
    wait: null,
    slowed: [],
    slow: false,
    oversized: false,
    client: "127.0.0.1 curl",
    program: null,
    protocol: "http/1.1",
    server: "192.0.2.7:443",
    tags: [],
    mark: null,
    comment: "",
    ...change,
  };
}

function row(change: Partial<TrafficRecord> = {}, now: number = START, shown: readonly ColumnName[] = []) {
  return trafficRowOf(record(change), now as Instant, new Set(shown));
}

describe("Traffic rows", (test) => {
  test("given a finished exchange, returns all its cells as text", () => {
    const { number, method, methodClass, status, statusClass, path, host, type, size, sizeUnit, latency, phases } =
      row();
    assert.equal(
      [number, method, methodClass, status, statusClass, path, host, type, size, sizeUnit, latency, phases],
      [
        "1,242",
        "GET",
        "",
        "200",
        "",
        "/v1/cart?full=1",
        "api.shop.test",
        "json",
        "418",
        "B",
        "1,086",
        "TTFB 1,060 ms, Transfer 26 ms",
      ],
    );
  });

  test("given an operation, names it behind the target, in the row and in its title", () => {
    const { path, address } = row({ target: "/graphql?v=2", operation: "GetUser" });
    assert.equal([path, address], ["/graphql?v=2 · GetUser", "https://api.shop.test/graphql?v=2 · GetUser"]);
  });

  test("given a status from 400 on or a failure, marks it as an error", () => {
    assert.is(row({ status: 404 }).statusClass, "is-error");
    const failed = row({ status: 502, errorType: "tls-expired" });
    assert.is(failed.statusClass, "is-error");
    assert.is(failed.statusTitle, "The server's certificate has expired");
    assert.is(row({ status: null, errorType: "client-aborted", latency: null }).status, "failed");
  });

  test("given an exchange in flight, shows the latency so far in whole seconds, marked as running", () => {
    const flying = row({ status: null, latency: null, inFlight: true, encodedBodySize: 0 }, START + 3_480);
    assert.equal(
      [flying.status, flying.latency, flying.latencyUnit, flying.latencyClass],
      ["…", "3,000", "ms", "is-running"],
    );
    assert.is(flying.size, "");
    const justBegun = row({ status: null, latency: null, inFlight: true }, START + 400);
    assert.equal([justBegun.latency, justBegun.latencyUnit], ["", ""]);
  });

  test("given an exchange in flight at the session's end, shows the time until then", () => {
    const change = { status: null, latency: null, inFlight: true, sessionEnd: (START + 5_000) as Instant };
    const { latency, latencyTitle } = row(change, START + 86_400_000);
    assert.equal([latency, latencyTitle], ["5,000", "In flight when the session ended"]);
  });

  test("given a stream, shows a dash and says that streams have no latency", () => {
    const stream = row({ latency: null, tags: ["stream"] });
    assert.equal([stream.latency, stream.latencyTitle], ["–", "TTFB 1,060 ms. Streams have no latency"]);
    const unanswered = row({ latency: null, tags: ["event-stream"], spans: [] });
    assert.equal([unanswered.latency, unanswered.latencyTitle], ["–", "Streams have no latency"]);
  });

  test('given a failure, shows the time until then and calls it "Failed after" instead of a latency', () => {
    const failed = { status: 504, errorType: "response-timeout", latency: null } as const;
    const { latency, latencyUnit, latencyClass, latencyTitle } = row({ ...failed, failedAfter: 30_012.4 });
    assert.equal(
      [latency, latencyUnit, latencyClass, latencyTitle],
      ["30,012", "ms", "is-failed", "Failed after 30,012 ms"],
    );
    const unseen = row({ ...failed, failedAfter: null });
    assert.equal([unseen.latency, unseen.latencyTitle], ["–", "Failures have no latency"]);
  });

  test("given a slow exchange, sets a class and explains it in the title", () => {
    assert.equal(
      [row({ slow: true }).latencyClass, row({ slow: true }).latencyTitle],
      ["is-slow", "Slow: over its endpoint's p95, or over the fixed threshold"],
    );
  });

  test("given methods that change state, fills their labels", () => {
    assert.equal(
      ["GET", "HEAD", "OPTIONS", "POST", "DELETE", "PURGE"].map((method) => row({ method }).methodClass),
      ["", "", "", "is-filled", "is-filled", "is-filled"],
    );
  });

  test("given content types, shortens them", () => {
    const types = ["application/problem+json", "image/svg+xml", "text/html", "application/x-www-form-urlencoded", null];
    assert.equal(
      types.map((contentType) => row({ contentType }).type),
      ["json", "svg", "html", "www-form-urlencoded", ""],
    );
  });

  test("given tags and uncertain times, describes them in words, and shows a tunnel's target", () => {
    assert.is(row({ tags: ["probe"], oversized: true }).marks, "probe, oversized");
    assert.equal([row({ uncertainty: 12 }).marks, row({ uncertainty: 12 }).uncertain], ["", "± "]);
    assert.equal([row({ uncertainty: 0 }).uncertain, row({ uncertainty: 12, latency: null }).uncertain], ["", ""]);
    const why = "± means times uncertain by up to 12 ms, because Weir was busy";
    assert.equal([row({ uncertainty: 12 }).latencyTitle, row({ uncertainty: 12 }).uncertainTitle], [why, why]);
    assert.match(row({ uncertainty: 12, slow: true }).latencyTitle, /^Slow: .+; ± means /);
    assert.is(row({ uncertainty: 0 }).uncertainTitle, "");
    const repaired = row({ tags: ["repaired:bare-line-feed", "repaired:blank-before-colon"] });
    assert.is(repaired.marks, "repaired: blank before a colon, bare line feed");
    assert.is(row({ status: 200, errorType: "response-malformed" }).marks, "cut short");
    assert.is(row({ status: 502, errorType: "response-malformed" }).marks, "");
    const tunnel = row({ tags: ["tunnel"], target: "db.test:5432" });
    assert.equal([tunnel.path, tunnel.host, tunnel.marks], ["db.test:5432", "", "tunnel"]);
  });

  test("given a wait and uncertain times, the bar's text and the phases' columns say them", () => {
    const wait = { waitedFor: "stream", from: 0, to: 200 } as const;
    assert.is(
      row({ wait, uncertainty: 12 }).phases,
      "Waiting 200 ms, TTFB 1,060 ms, Transfer 26 ms; times uncertain by up to 12 ms",
    );
    assert.equal([row({ uncertainty: 12 }, START, ["ttfb"]).ttfb, row({}, START, ["ttfb"]).ttfb], ["± 1,060", "1,060"]);
  });

  test("given a filter or hidden hosts, the footer counts the exchanges left out", () => {
    const footer = (total: number, matched: number, hides = false) =>
      footerOf({ state: { total, matched }, problem: null, isDisconnected: false }, "x", hides);
    assert.is(footer(396, 8), "388 exchanges do not match");
    assert.is(footer(2, 1), "1 exchange does not match");
    assert.is(footer(8, 8), "");
    assert.is(footer(396, 8, true), "388 exchanges do not match or are hidden");
    const list = { state: { total: 2, matched: 1 }, problem: null, isDisconnected: false };
    assert.is(footerOf(list, "", true), "1 exchange is hidden");
  });

  test("given a refused filter or an exit of Weir, the footer shows the reason instead of a count", () => {
    const list = { state: { total: 396, matched: 8 }, problem: "status: takes a number", isDisconnected: false };
    const text = "Filter not applied: status: takes a number Showing the previous results.";
    assert.is(footerOf(list, "status:", false), text);
    const left = { ...list, problem: "Weir has exited.", isDisconnected: true };
    assert.is(footerOf(left, "", true), "Weir has exited. Showing the previous results.");
    assert.is(footerOf({ ...left, state: { total: 0, matched: 0 } }, "", false), "Weir has exited.");
  });

  test("given a mark and a comment, shows them as word, shape and text, and nothing without them", () => {
    const said = row({ mark: "cross", comment: "<b>look" });
    assert.equal(
      [said.mark, said.markClass, said.comment, said.commentClass],
      ["Cross", "is-cross", "<b>look", "is-there"],
    );
    const blank = row();
    assert.equal([blank.mark, blank.markClass, blank.comment, blank.commentClass], ["", "", "", ""]);
  });

  test("given visible columns, fills only those with text", () => {
    const change = { requestBodySize: 2_048, contentType: "application/problem+json" };
    const { mime, protocol, client, server, requestSize, requestSizeUnit, ttfb, connect } = row(change, START, [
      "mime",
      "protocol",
      "client",
      "server",
      "requestSize",
      "ttfb",
      "connect",
    ]);
    assert.equal(
      [mime, protocol, client, server, requestSize, requestSizeUnit, ttfb, connect],
      ["application/problem+json", "HTTP/1.1", "unknown · 127.0.0.1 curl", "192.0.2.7:443", "2.0", "KB", "1,060", "–"],
    );
    const bare = row(change);
    assert.equal(
      [bare.mime, bare.protocol, bare.client, bare.server, bare.requestSize, bare.requestSizeUnit, bare.ttfb],
      ["", "", "", "", "", "", ""],
    );
    assert.is(row({ protocol: "h2" }, START, ["protocol"]).protocol, "HTTP/2");
    assert.is(row({ program: "curl" }, START, ["client"]).client, "curl · 127.0.0.1 curl");
    assert.is(row({ program: "curl" }).client, "");
    assert.is(row({ client: "192.0.2.7 curl" }, START, ["client"]).client, "192.0.2.7 curl");
  });

  test("given a phase that an exchange in flight has not reached, leaves the cell blank", () => {
    const { ttfb, transfer } = row({ inFlight: true, spans: [{ phase: "ttfb", from: 0, to: 4 }] }, START, [
      "ttfb",
      "transfer",
    ]);
    assert.equal([ttfb, transfer], ["4.0", ""]);
  });
});
