import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HarEntries } from "../../../src/engine/interchange/har-entries.ts";
import { eventsOfEntry, HarConnections } from "../../../src/engine/interchange/har-import.ts";
import { type Exchange, timedLatencyOf } from "../../../src/engine/model/exchange.ts";
import { phasesOf, waitOf } from "../../../src/engine/model/phases.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { entryText } from "../../support/har-source.ts";
import { importedFrom } from "../../support/imported-entry.ts";

/* Output of real tools that HAR 1.2 does not define or allow. */

const START = Date.UTC(2026, 2, 1, 10);

interface Change {
  readonly request?: object;
  readonly response?: object;
  readonly timings?: object | undefined;
  readonly [field: string]: unknown;
}

/** An entry with a server's response: 10 ms waiting, 300 ms TTFB, 5 ms transfer. */
function entry({ request, response, ...change }: Change = {}): object {
  return {
    startedDateTime: new Date(START).toISOString(),
    time: 315,
    timings: { blocked: 10, dns: -1, connect: -1, ssl: -1, send: 0, wait: 300, receive: 5 },
    serverIPAddress: "192.0.2.1",
    ...change,
    request: { method: "GET", url: "https://api.test/app.js", httpVersion: "HTTP/1.1", headers: [], ...request },
    response: {
      status: 200,
      httpVersion: "HTTP/1.1",
      headers: [],
      content: { size: 50_000, mimeType: "text/plain" },
      bodySize: 50_000,
      ...response,
    },
  };
}

const NO_STATUS = "response.status is neither an HTTP status nor 0";

/** Why the entry is left out; `null` if it is not. */
function problemOf(odd: object): string | null {
  const imported = eventsOfEntry(odd, 1 as ExchangeId);
  return imported.ok ? null : imported.problem;
}

const AT_ONCE = { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0.5 };

/** A browser cache hit, as each browser writes it. */
const HITS: Readonly<Record<string, Change>> = {
  "Chrome's memory cache": { _fromCache: "memory", time: 2, timings: { ...AT_ONCE, wait: 0.5 } },
  "Chrome's disk cache": { _fromCache: "disk", time: 2, timings: { ...AT_ONCE, wait: 2 } },
  "a cache flag written as a boolean": { _fromCache: true },
  "Chrome without transfer or wait": { response: { _transferSize: 0 }, timings: AT_ONCE },
  "Chrome without transfer and with a wait of -1": {
    response: { _transferSize: 0 },
    timings: { ...AT_ONCE, wait: -1 },
  },
  "Chrome's service worker": { response: { _fetchedViaServiceWorker: true, _transferSize: 0 } },
  "a service worker named in the entry": { _fetchedViaServiceWorker: true },
  "Firefox's cache with an entry's data": {
    cache: { afterRequest: { expires: "", lastAccess: "", eTag: "", hitCount: "3" } },
    timings: { ...AT_ONCE, wait: 1 },
    response: { bodySize: 0 },
  },
  "Firefox's cache without an entry's data": { cache: { afterRequest: null }, timings: AT_ONCE },
  "Safari's disk cache": { _fetchType: "Disk Cache" },
  "Firefox's entry of zeros only": {
    cache: {},
    time: 0,
    serverIPAddress: undefined,
    response: { headersSize: -1 },
    timings: { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: 0, receive: 0 },
  },
};

const ANSWERS: Readonly<Record<string, Change>> = {
  "a transfer": {},
  "an empty cache object": { cache: {} },
  "no service worker": { response: { _fetchedViaServiceWorker: false } },
  "no cache": { _fromCache: null },
  "an empty body that was waited for": { response: { _transferSize: 0, bodySize: 0 } },
  "a response that was put into the cache": { cache: { afterRequest: { expires: "", lastAccess: "", hitCount: 1 } } },
  "a cache that held nothing before": { cache: { beforeRequest: null, afterRequest: null } },
  "Safari's network load": { _fetchType: "Network Load" },
};

describe("non-standard HAR entries", (test) => {
  for (const [name, change] of Object.entries(HITS))
    test(`given ${name}, tags the exchange as a cache hit and leaves it out of all statistics`, () => {
      assert.equal(importedFrom(entry(change)).exchange.tags, ["imported", "browser-cache"]);
      const session = sessionOf([...Array(6).fill(entry()), ...Array(14).fill(entry(change))]);
      assert.is(session.exchanges, 20);
      const { counted, p95, bytes } = session.summary;
      assert.equal([counted, p95, bytes], [6, 315, 300_000]);
    });

  for (const [name, change] of Object.entries(ANSWERS))
    test(`given ${name}, imports the response as the server's`, () => {
      assert.equal(importedFrom(entry(change)).exchange.tags, ["imported"]);
    });

  test("given a request that Chrome blocked, does not tag it as a cache hit", () => {
    const blocked = entry({
      response: { status: 0, _transferSize: 0, _error: "net::ERR_BLOCKED_BY_CLIENT" },
      timings: AT_ONCE,
    });
    assert.equal(importedFrom(blocked).exchange.tags, ["imported"]);
  });

  test("given an ssl time for plain HTTP, imports no TLS phase", () => {
    const timings = { dns: 0.5, connect: 1, ssl: 2, send: 0, wait: 16, receive: 46 };
    const phases = (url: string) => phasesOf(importedFrom(entry({ request: { url }, timings })).exchange.instants);
    for (const url of ["http://api.test/", "ws://api.test/"])
      assert.equal([phases(url).connect, phases(url).tls, phases(url).ttfb], [1, null, 16]);
    assert.ok((phases("https://api.test/").tls ?? 0) > 0);
  });

  test("given any missing timings, those phases are absent and the others are kept", () => {
    const length = fc.integer({ min: 0, max: 1_000 });
    const told = fc.record({ send: length, wait: length, receive: length }, { requiredKeys: [] });
    fc.assert(
      fc.property(told, fc.option(fc.integer({ min: 3_000, max: 9_000 })), fc.boolean(), (timings, time, isMinus) => {
        const { send, wait, receive } = timings;
        const written = isMinus ? { send: -1, wait: -1, receive: -1, ...timings } : timings;
        const { exchange } = importedFrom(entry({ time, timings: written }));
        const { ttfb, transfer } = phasesOf(exchange.instants);
        // Leaves out a tool that knows none of the three.
        fc.pre((send ?? 0) !== 0 || wait !== 0 || receive !== 0);
        assert.is(ttfb, wait === undefined ? null : wait + (send ?? 0));
        if (receive !== undefined) assert.is(transfer, receive);
        else if (wait === undefined || time === null) assert.is(transfer, null);
        const sum = (send ?? 0) + (wait ?? 0) + (receive ?? 0);
        const end = receive === undefined ? null : sum;
        assert.is(timedLatencyOf(exchange), time ?? end);
      }),
    );
    const { exchange } = importedFrom(entry({ timings: undefined }));
    assert.equal(Object.values(phasesOf(exchange.instants)), [null, null, null, null, null, null]);
    assert.is(timedLatencyOf(exchange), 315);
  });

  test("given zeros for all required timings in an entry that took time, imports no TTFB or transfer", () => {
    for (const [time, blocked] of [
      [315, 0],
      [315, 100],
      [0.5, -1],
    ] as const) {
      const timings = { blocked, send: 0, wait: 0, receive: 0 };
      const { exchange } = importedFrom(entry({ time, timings }));
      const { ttfb, transfer } = phasesOf(exchange.instants);
      assert.equal([ttfb, transfer, timedLatencyOf(exchange)], [null, null, time]);
      assert.is(exchange.instants.startTime, START);
    }
    const { exchange } = importedFrom(entry({ time: 7, timings: { blocked: 7, send: 0, wait: 0, receive: 0 } }));
    assert.is(phasesOf(exchange.instants).ttfb, 0);
  });

  test("given ssl in addition to connect, the latency is not longer than the entry's time", () => {
    const timings = { blocked: 0, dns: 2, connect: 10, ssl: 30, send: 0, wait: 10, receive: 1 };
    const { exchange } = importedFrom(entry({ time: 53, timings }));
    const { connect, tls, ttfb } = phasesOf(exchange.instants);
    assert.equal([connect, tls, ttfb, timedLatencyOf(exchange)], [10, 30, 10, 53]);
  });

  test("given ssl above connect, it is beside connect only if the entry's time has room for both", () => {
    const length = fc.integer({ min: 0, max: 1_000 });
    const drawn = fc.record({ dns: length, connect: length, wait: length, receive: length });
    fc.assert(
      fc.property(
        drawn,
        fc.integer({ min: 2, max: 1_000 }),
        fc.integer({ min: -500, max: 500 }),
        (told, more, room) => {
          const { dns, connect, wait, receive } = told;
          const ssl = connect + more;
          const others = dns + wait + receive;
          const time = Math.max(others, others + connect + ssl + room);
          fc.pre(wait > 0);
          const { exchange } = importedFrom(entry({ time, timings: { ...told, ssl, send: 0 } }));
          const phases = phasesOf(exchange.instants);
          const fits = others + connect + ssl <= time + 1;
          assert.equal([phases.connect, phases.tls], fits ? [connect, ssl] : [null, null]);
          assert.ok((timedLatencyOf(exchange) ?? 0) <= time + 1);
          assert.is(exchange.reused, false);
        },
      ),
    );
  });

  test("given ssl above connect by less than rounding, connect is all TLS", () => {
    const timings = { connect: 20, ssl: 20.4, send: 0, wait: 10, receive: 1 };
    const { connect, tls } = phasesOf(importedFrom(entry({ time: 31, timings })).exchange.instants);
    assert.equal([connect, tls], [0, 20]);
  });

  test("given Playwright's status -1, the request had no response, and failed as the file says", () => {
    const response = { status: -1, httpVersion: "HTTP/1.1", content: { size: -1, mimeType: "x-unknown" } };
    const outcomeOf = (more: object) => importedFrom(entry({ response: { ...response, ...more } })).exchange.outcome;
    const detail = "net::ERR_CONNECTION_REFUSED";
    assert.equal(outcomeOf({ _failureText: detail }), {
      kind: "failed",
      errorType: "connection-refused",
      detail,
      status: null,
    });
    assert.is(outcomeOf({})?.kind, "failed");
    for (const more of [{ content: { text: "x" } }, { headers: [{ name: "a", value: "b" }] }])
      assert.is(problemOf(entry({ response: { ...response, ...more } })), `${NO_STATUS}: -1`);
  });

  test("given WebPageTest's status -2, the request failed as the file says", () => {
    const { outcome } = importedFrom(entry({ response: { status: -2, _error: "net::ERR_ABORTED" } })).exchange;
    assert.equal(outcome, {
      kind: "failed",
      errorType: "client-aborted",
      detail: "net::ERR_ABORTED",
      status: null,
    });
  });

  test("given an answer that Playwright fulfilled, tags it, and counts it in no statistic", () => {
    const mocked = entry({ _wasFulfilled: true, time: 0, timings: AT_ONCE });
    assert.equal(importedFrom(mocked).exchange.tags, ["imported", "mocked"]);
    const { counted, p95 } = sessionOf([...Array(4).fill(entry()), ...Array(9).fill(mocked)]).summary;
    assert.equal([counted, p95], [4, 315]);
  });

  test("given an error of any family, the request failed; only an abort is the client's", () => {
    const names = {
      "server-reset": ["net::ERR_HTTP2_PROTOCOL_ERROR", "net::ERR_HTTP2_SERVER_REFUSED_STREAM", "NS_ERROR_NET_RESET"],
      "server-closed": ["net::ERR_EMPTY_RESPONSE", "net::ERR_CONNECTION_CLOSED", "NS_ERROR_NET_INTERRUPT"],
      "network-failed": [
        ...["net::ERR_FAILED", "NS_ERROR_FAILURE", "NS_BINDING_FAILED", "net::ERR_QUIC_PROTOCOL_ERROR"],
        ...["NS_ERROR_NET_HTTP3_PROTOCOL_ERROR", "net::ERR_CACHE_READ_FAILURE", "net::ERR_FILE_NOT_FOUND"],
        ...["net::ERR_TOO_MANY_REDIRECTS", "NS_ERROR_REDIRECT_LOOP", "net::ERR_INVALID_ARGUMENT"],
      ],
      "upstream-proxy-failed": ["NS_ERROR_PROXY_CONNECTION_REFUSED", "net::ERR_PROXY_CERTIFICATE_INVALID"],
      "connection-timeout": ["net::ERR_CONNECTION_TIMED_OUT"],
      "response-timeout": ["net::ERR_TIMED_OUT", "net::ERR_HTTP2_PING_FAILED", "NS_ERROR_NET_TIMEOUT"],
      "host-unreachable": ["net::ERR_CONNECTION_FAILED", "net::ERR_ADDRESS_UNREACHABLE"],
      "response-malformed": [
        ...["net::ERR_HTTP2_FRAME_SIZE_ERROR", "net::ERR_INVALID_HTTP_RESPONSE", "NS_ERROR_CORRUPTED_CONTENT"],
        ...["NS_ERROR_PARSING_HTTP_STATUS_LINE", "NS_ERROR_INVALID_CONTENT_ENCODING"],
      ],
      "response-truncated": ["net::ERR_RESPONSE_HEADERS_TRUNCATED"],
      "tls-untrusted": ["net::ERR_CERT_AUTHORITY_INVALID", "SEC_ERROR_REVOKED_CERTIFICATE", "NS_ERROR_BAD_HSTS_CERT"],
      "tls-not-yet-valid": ["MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE"],
      "tls-client-certificate": ["net::ERR_BAD_SSL_CLIENT_AUTH_CERT", "net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED"],
      "tls-weak": ["net::ERR_CERT_WEAK_KEY"],
      "tls-protocol": ["net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH"],
      "name-not-resolved": [
        ...["NS_ERROR_UNKNOWN_HOST", "net::ERR_DNS_MALFORMED_RESPONSE", "NS_ERROR_DNS_LOOKUP_QUEUE_FULL"],
        "NS_ERROR_DEFINITIVE_UNKNOWN_HOST",
      ],
      "client-aborted": [
        ...["net::ERR_ABORTED", "NS_BINDING_ABORTED", "NS_ERROR_ABORT", "NS_BINDING_CANCELLED_OLD_LOAD"],
        ...["NS_ERROR_CONTENT_BLOCKED", "NS_ERROR_TRACKING_URI", "NS_ERROR_DOCSHELL_DYING"],
      ],
    };
    for (const [errorType, texts] of Object.entries(names))
      for (const detail of texts)
        for (const status of [0, 200]) {
          const { exchange } = importedFrom(entry({ response: { status, _error: detail } }));
          assert.equal(exchange.outcome, { kind: "failed", errorType, detail, status: status === 0 ? null : status });
          assert.is(timedLatencyOf(exchange), null);
          assert.is((exchange.endTime ?? 0) - exchange.instants.startTime, 315);
        }
  });

  test("given Firefox's name for an answer with an error status, it is that answer", () => {
    for (const _error of ["NS_ERROR_NET_ERROR_RESPONSE", "NS_ERROR_NET_EMPTY_RESPONSE"]) {
      const outcomeOf = (status: number) => importedFrom(entry({ response: { status, _error } })).exchange.outcome;
      assert.equal(outcomeOf(503), { kind: "responded", status: 503 });
      assert.is(outcomeOf(0)?.kind, "failed");
    }
  });

  test("given ERR_ABORTED beside a whole response, it is no abort", () => {
    const outcomeOf = (response: object) =>
      importedFrom(entry({ response: { _error: "net::ERR_ABORTED", ...response } })).exchange.outcome;
    const length = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(length, length, (announced, received) => {
        const headers = [{ name: "Content-Length", value: String(announced) }];
        const outcome = outcomeOf({ headers, bodySize: received, content: { size: received } });
        assert.is(outcome?.kind, announced === received ? "responded" : "failed");
        const download = outcomeOf({ headers, bodySize: -1, content: { size: announced } });
        assert.equal(download, { kind: "responded", status: 200 });
      }),
    );
    for (const status of [204, 205, 304]) assert.equal(outcomeOf({ status }), { kind: "responded", status });
    assert.is(outcomeOf({})?.kind, "failed");
    const cut = outcomeOf({ status: 204, _error: "net::ERR_CONNECTION_RESET" });
    assert.is(cut?.kind, "failed");
  });

  test("given a time that counts ssl twice, counts it once", () => {
    const length = fc.integer({ min: 2, max: 900 });
    fc.assert(
      fc.property(length, length, length, length, (dns, tcp, ssl, wait) => {
        const timings = { blocked: -1, dns, connect: tcp + ssl, ssl, send: 0, wait, receive: 1 };
        const whole = dns + tcp + ssl + wait + 1;
        for (const time of [whole, whole + ssl]) {
          const { exchange } = importedFrom(entry({ time, timings }));
          const { connect, tls, ttfb } = phasesOf(exchange.instants);
          assert.equal([connect, tls, ttfb, timedLatencyOf(exchange)], [tcp, ssl, wait, whole]);
        }
      }),
    );
  });

  test("given 0 for each part of the set-up, the connection was reused, and has no such phase", () => {
    for (const timings of [
      { dns: 0, connect: 0, ssl: 0, send: 0, wait: 300, receive: 15 },
      { dns: 0, connect: 0, send: 0, wait: 300, receive: 15 },
    ]) {
      const { exchange } = importedFrom(entry({ timings }));
      const { dns, connect, tls, ttfb } = phasesOf(exchange.instants);
      assert.equal([exchange.reused, dns, connect, tls, ttfb], [true, null, null, null, 300]);
    }
  });

  test("given neither headers nor a version, keeps status and latency", () => {
    const { exchange } = importedFrom(entry({ response: { httpVersion: undefined, headers: undefined } }));
    assert.equal(exchange.outcome, { kind: "responded", status: 200 });
    assert.equal([timedLatencyOf(exchange), phasesOf(exchange.instants).ttfb], [315, 300]);
  });

  test("given Chrome's own queue, it is a wait of its own, no part of the latency, and exported again", () => {
    const length = fc.integer({ min: 1, max: 900 });
    fc.assert(
      fc.property(length, fc.nat(90), length, length, (queue, stalled, dns, wait) => {
        const timings = { blocked: queue + stalled, dns, connect: -1, send: 0, wait, receive: 5 };
        const time = queue + stalled + dns + wait + 5;
        const odd = entry({ time, timings: { ...timings, _blocked_queueing: queue } });
        const first = importedFrom(odd);
        const again = importedFrom(JSON.parse(entryText(first, false)));
        for (const { exchange } of [first, again]) {
          assert.equal(waitOf(exchange), { waitedFor: "browser", from: 0, to: queue });
          assert.is(timedLatencyOf(exchange), time - queue);
          assert.is(phasesOf(exchange.instants).dns, dns);
          assert.is(tableLatencyOf(exchange), time - queue);
          const { blocked, _blocked_queueing } = JSON.parse(entryText({ ...first, exchange }, false)).timings;
          assert.equal([blocked, _blocked_queueing], [queue + stalled, queue]);
        }
      }),
    );
  });

  test("given Chrome's own queue, or HTTP/2 and HTTP/3, no request waited for a connection", () => {
    const timings = { blocked: 200, send: 0, wait: 100, receive: 15 };
    const waitedFor = (httpVersion: string, more: object = {}) =>
      importedFrom(entry({ timings: { ...timings, ...more }, request: { httpVersion } })).exchange.waitedFor;
    assert.is(waitedFor("HTTP/1.1"), "unsaid");
    assert.is(waitedFor("HTTP/1.1", { _blocked_queueing: -1 }), "unsaid");
    assert.is(waitedFor("HTTP/1.1", { _blocked_queueing: 190 }), "browser");
    assert.is(waitedFor("HTTP/1.1", { _blocked_queueing: 0 }), null);
    for (const version of ["h2", "h3", "HTTP/2.0", "http/2+quic/46"]) assert.is(waitedFor(version), null);
  });

  test("given local dates at noon and midnight, reads the hour of the day", () => {
    const hourOf = (time: string) =>
      new Date(
        importedFrom(entry({ startedDateTime: `Feb 16, 2018 ${time}` })).exchange.instants.startTime,
      ).getUTCHours();
    assert.equal(["12:00:00 AM", "1:00:00 AM", "12:00:00 PM", "11:00:00 PM"].map(hourOf), [0, 1, 12, 23]);
  });

  test("given no version of HTTP, or none that is one, names no protocol", () => {
    const protocolOf = (asked: unknown, answered: unknown, more: object = {}) =>
      importedFrom(entry({ request: { httpVersion: asked }, response: { httpVersion: answered }, ...more })).exchange
        .protocol;
    for (const none of [undefined, "", "unknown", ": /", 7]) assert.is(protocolOf(none, none), "unknown");
    assert.is(protocolOf("", "HTTP/2.0"), "h2");
    assert.is(protocolOf(": /", "us:", { _protocol: "HTTP/2" }), "h2");
    const again = JSON.parse(
      entryText(importedFrom(entry({ request: { httpVersion: "" }, response: { httpVersion: "" } })), false),
    );
    assert.is(importedFrom(again).exchange.protocol, "unknown");
  });

  test("given a response without a status, leaves the entry out", () => {
    for (const status of [
      undefined,
      null,
      {},
      "",
      "OK",
      "0x200",
      "2e2",
      "2000 OK",
      "20 OK",
      "099 x",
      200.5,
      1e9,
      -3,
      99,
    ])
      assert.is(problemOf(entry({ response: { status } })), `${NO_STATUS}: ${JSON.stringify(status) ?? "nothing"}`);
  });

  test("given no response, leaves the entry out, unless it is in flight", () => {
    for (const response of [undefined, null, [], "x", 7]) {
      const odd = { ...entry(), response };
      assert.is(problemOf(odd), `response is not an object: ${JSON.stringify(response) ?? "nothing"}`);
      assert.is(importedFrom({ ...odd, _inFlight: true }).exchange.outcome, null);
    }
  });

  test("given no method, leaves the entry out; keeps any token of up to 64 characters", () => {
    const token = fc.string({ unit: fc.constantFrom(..."!#$%&'*+.^_`|~09azAZ-"), minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(token, (method) => assert.is(importedFrom(entry({ request: { method } })).exchange.method, method)),
    );
    for (const method of [undefined, 7, {}, "", "G T", "GET\r\n", "G\u00c9T", "X".repeat(65), "X".repeat(5_000)])
      assert.match(
        problemOf(entry({ request: { method } })) ?? "",
        /^request\.method is not a method of 1 to 64 .*: ./,
      );
    for (const method of [null, "?"]) assert.is(importedFrom(entry({ request: { method } })).exchange.method, "?");
  });

  test("given numbers written as text, reads them", () => {
    const texts = {
      time: "315",
      timings: { blocked: "10", dns: "-1", connect: "-1", send: "0", wait: "300.0", receive: " 5 " },
      response: { status: "200", bodySize: "50000", content: { size: "50000" } },
    };
    const { exchange } = importedFrom(entry(texts));
    assert.equal(exchange.outcome, { kind: "responded", status: 200 });
    assert.equal([phasesOf(exchange.instants).ttfb, timedLatencyOf(exchange)], [300, 315]);
    assert.equal([exchange.encodedBodySize, exchange.decodedBodySize], [50_000, 50_000]);
    for (const status of ["404 Not Found", " 404 x"])
      assert.equal(importedFrom(entry({ response: { status } })).exchange.outcome, { kind: "responded", status: 404 });
  });

  test("given a date in ISO 8601, RFC 1123 or as a count since 1970, reads it", () => {
    const dates: readonly unknown[] = [
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T11:00:00+01:00",
      "Sun, 01 Mar 2026 10:00:00 GMT",
      "Sun, 1 Mar 2026 12:00:00 +0200",
      "01 Mar 2026 10:00:00 UTC",
      START,
      String(START),
      START / 1_000,
      START * 1_000,
      "Mar 1, 2026 10:00:00 AM",
      "Mar 1, 2026, 10:00:00\u202fAM",
    ];
    for (const startedDateTime of dates) {
      const { exchange } = importedFrom(entry({ startedDateTime }));
      assert.is(exchange.instants.startTime, START, String(startedDateTime));
    }
    for (const startedDateTime of [
      null,
      "",
      "soon",
      0,
      -1,
      1e30,
      {},
      "Sun, 40 Mar 2026 10:00:00 GMT",
      "Foo 1, 2026 10:00:00 AM",
    ])
      assert.is(eventsOfEntry(entry({ startedDateTime }), 1 as ExchangeId).ok, false, String(startedDateTime));
  });

  test("given base64 in any letter case of its name, decodes the content", () => {
    const text = Buffer.from([0, 255, 7]).toString("base64");
    for (const encoding of ["base64", "BASE64", "Base64", " base64 "]) {
      const content = { size: 3, mimeType: "image/png", text, encoding };
      assert.equal([...(importedFrom(entry({ response: { content } })).responseBody?.bytes ?? [])], [0, 255, 7]);
    }
  });

  test("given the server's port as connection, parallel HTTP/1.1 requests do not share one, and the server stays known", () => {
    const connections = new HarConnections();
    const numbersOf = (url: string, connection: unknown, httpVersion: string) =>
      Array.from({ length: 6 }, (_, index) => {
        const imported = eventsOfEntry(
          entry({ connection, request: { url, httpVersion } }),
          (index + 1) as ExchangeId,
          connections,
        );
        const { events } = unwrap(imported);
        const opened = events.find(({ type }) => type === "connection-opened");
        assert.is(opened?.type === "connection-opened" && opened.address.startsWith("192.0.2.1:"), true);
        return events.flatMap((event) => (event.type === "exchange-ended" ? [event.connection] : []))[0];
      });
    assert.is(new Set(numbersOf("https://a.test/", "443", "HTTP/1.1")).size, 6);
    assert.is(new Set(numbersOf("http://a.test:8080/", 8080, "http/1.0")).size, 6);
    assert.is(new Set(numbersOf("https://a.test/", "17", "HTTP/1.1")).size, 1);
    assert.is(new Set(numbersOf("https://a.test/", "443", "HTTP/2")).size, 1);
  });

  test("given the server's port as connection, unknown servers share no connection either", () => {
    const numbersOf = (httpVersion: string, ...hosts: readonly string[]) => {
      const connections = new HarConnections();
      return hosts.map((host, index) => {
        const one = entry({
          connection: "443",
          serverIPAddress: undefined,
          request: { url: `https://${host}/`, httpVersion },
        });
        const imported = eventsOfEntry(one, (index + 1) as ExchangeId, connections);
        const ended = unwrap(imported).events.find(({ type }) => type === "exchange-ended");
        return ended && ended.type === "exchange-ended" ? ended.connection : null;
      });
    };
    assert.is(new Set(numbersOf("HTTP/1.1", "a.test", "a.test", "b.test")).size, 3);
    const [first, second, other] = numbersOf("HTTP/2", "a.test", "a.test", "b.test");
    assert.is(first, second);
    assert.is.not(first, other);
  });

  test("given entries that are left out, each exchange's id is its entry's position in the file", () => {
    const odd = fc.constantFrom<unknown>(
      null,
      1,
      "x",
      [],
      {},
      entry({ request: { url: "data:," } }),
      entry({ startedDateTime: 0 }),
    );
    const item = fc.oneof(fc.constant<unknown>(entry()), odd);
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.integer({ min: 1, max: 5_000 }), (items, size) => {
        const { ids, leftOut } = read(JSON.stringify({ log: { entries: items } }), size);
        const isGood = (one: unknown) => JSON.stringify(one) === JSON.stringify(entry());
        const places = items.map((_, index) => index + 1);
        assert.equal(
          ids,
          places.filter((position) => isGood(items[position - 1])),
        );
        assert.equal(
          leftOut.map((left) => left.entry),
          places.filter((position) => !isGood(items[position - 1])),
        );
        assert.ok(leftOut.every(({ reason }) => /: ./.test(reason)));
      }),
    );
  });
});

function read(text: string, size: number) {
  const entries = new HarEntries();
  const ids: number[] = [];
  for (let at = 0; at < text.length; at += size)
    for (const one of entries.push(text.slice(at, at + size))) if (one !== null) ids.push(one.id);
  assert.is(entries.finish(), null);
  assert.is(entries.leftOutCount, entries.leftOut.length);
  return { ids, leftOut: entries.leftOut };
}

function tableLatencyOf(exchange: Exchange): number | null {
  const session = new Session();
  session.add(exchange);
  const row = session.table.rowOf(exchange.id);
  return row === null ? null : session.table.latencyAt(row);
}

function sessionOf(entries: readonly object[]): Session {
  const session = new Session();
  const file = new HarEntries();
  for (const one of file.push(JSON.stringify({ log: { entries } }))) session.apply(one?.events ?? []);
  assert.is(file.finish(), null);
  return session;
}
