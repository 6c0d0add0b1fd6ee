import * as assert from "uvu/assert";
import { exchangeJsonOf as jsonOf } from "../../../src/engine/interchange/exchange-json.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const exchangeJsonOf = (one: Exchange, redact?: boolean) => jsonOf(one, NO_ANNOTATION, redact);

describe("exchange as JSON", (test) => {
  test("given an exchange, the object has the promised fields in order, then the later ones", () => {
    const promised =
      "id url method status errorType startTime dns connect tls ttfb transfer latency requestBodySize " +
      "encodedBodySize decodedBodySize contentEncoding reused protocol client tags";
    const later =
      "waiting connection stream clientConnection clientStream mark comment program failedAfter weir uncertainty slowed held " +
      "waitedFor";
    assert.equal(Object.keys(exchangeJsonOf(exchange())), `${promised} ${later}`.split(" "));
  });

  test("given a wait and streams, the object has the wait's length and each connection's stream", () => {
    const carried = { connection: 3, stream: 7, clientConnection: 2, clientStream: 5 };
    const json = exchangeJsonOf(
      exchange({
        start: 1_000,
        end: 1_090,
        ...carried,
        waitedFor: "connection",
        instants: { headReceived: 1_010, requestStart: 1_050 },
      }),
    );
    const { waiting, connection, stream, clientConnection, clientStream } = json;
    assert.equal({ connection, stream, clientConnection, clientStream }, carried);
    assert.is(waiting, 40);
    assert.equal([exchangeJsonOf(exchange()).waiting, exchangeJsonOf(exchange()).stream], [null, null]);
  });

  test("given Weir's own time and an uncertainty, both are in ms, and 0 without uncertainty", () => {
    const instants = { headReceived: 2, requestStart: 5, responseStart: 40, responseForwarded: 41 };
    const json = exchangeJsonOf(exchange({ end: 90, instants, uncertainty: 12 }));
    assert.equal([json.weir, json.transfer, json.uncertainty], [4, 49, 12]);
    assert.equal([exchangeJsonOf(exchange({ end: null })).weir, exchangeJsonOf(exchange()).uncertainty], [null, 0]);
  });

  test("given a client's program, the object names it, or null if it is unknown", () => {
    assert.is(exchangeJsonOf(exchange({ program: "curl" })).program, "curl");
    assert.is(exchangeJsonOf(exchange()).program, null);
  });

  test("given phases, the object has their lengths, and null for those that did not happen", () => {
    const json = exchangeJsonOf(
      exchange({
        start: 1_000,
        end: 1_100,
        instants: { connectStart: 1_001, secureConnectionStart: 1_004, connectEnd: 1_010, requestStart: 1_011 },
      }),
    );
    assert.equal([json.dns, json.connect, json.tls, json.ttfb, json.transfer, json.latency], [null, 3, 6, 89, 0, 100]);
  });

  test("given a failed exchange, the object states the error; given one in flight, nothing yet", () => {
    const failed = { kind: "failed", errorType: "connection-refused", detail: "ECONNREFUSED", status: 502 } as const;
    const json = exchangeJsonOf(exchange({ end: 7, outcome: failed }));
    assert.equal([json.status, json.errorType, json.latency, json.failedAfter], [502, "connection-refused", null, 7]);
    const inFlight = exchangeJsonOf(exchange({ end: null }));
    assert.equal([inFlight.status, inFlight.errorType, inFlight.latency], [null, null, null]);
  });

  test("given a WebSocket, its latency is null", () => {
    assert.is(exchangeJsonOf(exchange({ end: 9_000, tags: ["websocket"] })).latency, null);
  });

  test("given secrets in the URL, redacts them unless told not to", () => {
    const asked = exchange({ target: "/a?api_key=s3cret&page=2" });
    assert.is(exchangeJsonOf(asked).url, "https://api.test/a?api_key=REDACTED&page=2");
    assert.is(exchangeJsonOf(asked, false).url, "https://api.test/a?api_key=s3cret&page=2");
  });

  test("given a mark and a comment, the object has both, without secrets", () => {
    const { mark, comment } = jsonOf(exchange(), { mark: "flag", comment: "see /a?token=s3cret again" });
    assert.is(mark, "flag");
    assert.not.match(comment ?? "", "s3cret");
    assert.match(comment ?? "", "again");
    assert.is(jsonOf(exchange(), { mark: null, comment: "token=s3cret" }, false).comment, "token=s3cret");
    assert.equal([exchangeJsonOf(exchange()).mark, exchangeJsonOf(exchange()).comment], [null, null]);
  });

  test("given a request for the server as a whole, the URL is the origin", () => {
    assert.is(exchangeJsonOf(exchange({ method: "OPTIONS", target: "*" })).url, "https://api.test");
  });
});
