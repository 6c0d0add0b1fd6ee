import * as assert from "uvu/assert";
import { exchangeJsonOf as jsonOf } from "../../../src/engine/interchange/exchange-json.ts";
import { NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const exchangeJsonOf = (one: Exchange, redact?: boolean) => jsonOf(one, NO_ANNOTATION, redact);

describe("one object per exchange", (test) => {
  test("it has the promised fields in their order, and behind them those that came later", () => {
    const promised =
      "id url method status errorType startTime dns connect tls ttfb transfer latency requestBodySize " +
      "encodedBodySize decodedBodySize contentEncoding reused protocol client tags";
    const later =
      "waiting connection stream clientConnection clientStream mark comment program failedAfter weir uncertainty slowed held";
    assert.equal(Object.keys(exchangeJsonOf(exchange())), `${promised} ${later}`.split(" "));
  });

  test("waiting is a length, and streams stand beside their connections", () => {
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

  test("Weir's own time and what its times may be off by are in ms, 0 where they are on time", () => {
    const instants = { headReceived: 2, requestStart: 5, responseStart: 40, responseForwarded: 41 };
    const json = exchangeJsonOf(exchange({ end: 90, instants, uncertainty: 12 }));
    assert.equal([json.weir, json.transfer, json.uncertainty], [4, 49, 12]);
    assert.equal([exchangeJsonOf(exchange({ end: null })).weir, exchangeJsonOf(exchange()).uncertainty], [null, 0]);
  });

  test("the client's program stands where it is known", () => {
    assert.is(exchangeJsonOf(exchange({ program: "curl" })).program, "curl");
    assert.is(exchangeJsonOf(exchange()).program, null);
  });

  test("phases are lengths, and null where they did not happen", () => {
    const json = exchangeJsonOf(
      exchange({
        start: 1_000,
        end: 1_100,
        instants: { connectStart: 1_001, secureConnectionStart: 1_004, connectEnd: 1_010, requestStart: 1_011 },
      }),
    );
    assert.equal([json.dns, json.connect, json.tls, json.ttfb, json.transfer, json.latency], [null, 3, 6, 89, 0, 100]);
  });

  test("a failed exchange says why, and one in flight says nothing yet", () => {
    const failed = { kind: "failed", errorType: "connection-refused", detail: "ECONNREFUSED", status: 502 } as const;
    const json = exchangeJsonOf(exchange({ end: 7, outcome: failed }));
    assert.equal([json.status, json.errorType, json.latency, json.failedAfter], [502, "connection-refused", null, 7]);
    const inFlight = exchangeJsonOf(exchange({ end: null }));
    assert.equal([inFlight.status, inFlight.errorType, inFlight.latency], [null, null, null]);
  });

  test("the lifetime of a WebSocket is no latency", () => {
    assert.is(exchangeJsonOf(exchange({ end: 9_000, tags: ["websocket"] })).latency, null);
  });

  test("secrets leave the URL unless asked to stay", () => {
    const asked = exchange({ target: "/a?api_key=s3cret&page=2" });
    assert.is(exchangeJsonOf(asked).url, "https://api.test/a?api_key=REDACTED&page=2");
    assert.is(exchangeJsonOf(asked, false).url, "https://api.test/a?api_key=s3cret&page=2");
  });

  test("what a person said of it stands there, without the secrets in it", () => {
    const { mark, comment } = jsonOf(exchange(), { mark: "flag", comment: "see /a?token=s3cret again" });
    assert.is(mark, "flag");
    assert.not.match(comment ?? "", "s3cret");
    assert.match(comment ?? "", "again");
    assert.is(jsonOf(exchange(), { mark: null, comment: "token=s3cret" }, false).comment, "token=s3cret");
    assert.equal([exchangeJsonOf(exchange()).mark, exchangeJsonOf(exchange()).comment], [null, null]);
  });

  test("a request for the server as a whole has its origin as URL", () => {
    assert.is(exchangeJsonOf(exchange({ method: "OPTIONS", target: "*" })).url, "https://api.test");
  });
});
