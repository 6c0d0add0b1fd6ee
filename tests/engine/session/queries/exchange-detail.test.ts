import * as assert from "uvu/assert";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import type { Archive } from "../../../../src/engine/session/queries/context.ts";
import { exchangeDetailOf } from "../../../../src/engine/session/queries/exchange-detail.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { EMPTY_ARCHIVE, recorded } from "../../../support/recorded.ts";

describe("exchange detail", (test) => {
  test("joins the exchange, its heads and bodies on disk, its connection and its endpoint", () => {
    const made = [10, 10, 10, 10, 90].map((end, index) =>
      exchange({
        id: index + 1,
        end,
        connection: 3,
        clientConnection: 2,
        requestBodySize: 7,
        encodedBodySize: 20,
        instants: { requestEnd: 4 },
      }),
    );
    const session = recorded(made.slice(0, 4));
    const clientTls = { version: "TLSv1.2", cipher: "X", alpn: null, resumed: false };
    session.apply([
      { type: "client-secured", connection: 2, at: instant(0), tls: clientTls },
      { type: "connection-opened", id: 3, at: instant(0), address: "192.0.2.7:443", tls: null },
      ...made.slice(4).flatMap(eventsOf),
    ]);
    const archive: Archive = {
      ...EMPTY_ARCHIVE,
      headsOf: () => ({ target: "/", request: "POST / HTTP/1.1\r\nContent-Type: a/b; c=d\r\n\r\n", response: null }),
      bodyOf: (_, side) => ({ kept: side === "request" ? 7 : 15 }),
      messageCount: () => 2,
      messagesOf: () => [],
    };
    const detail = exchangeDetailOf(
      session,
      archive,
      exchange({ id: 5 }).id,
      new InsightEvaluator(session, DEFAULT_SETTINGS),
    );
    assert.equal(detail?.requestBody, { size: 7, kept: 7, contentType: "a/b; c=d", contentEncoding: null });
    assert.equal(detail?.responseBody, { size: 20, kept: 15, contentType: null, contentEncoding: null });
    assert.equal(detail?.clientTls, clientTls);
    assert.equal(detail?.server, { address: "192.0.2.7:443", tls: null });
    assert.equal([detail?.latency, detail?.upload, detail?.phases.weir, detail?.messages], [90, 4, 0, 2]);
    assert.is(detail?.slow?.cause?.phase, "ttfb");
    assert.is(detail?.stats?.requests, 5);
  });

  test("what is gone from disk is empty, and what is gone from the list is null", () => {
    const session = recorded([exchange({ id: 1 }), exchange({ id: 2, connection: null, reused: null })], 1);
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
    assert.is(exchangeDetailOf(session, EMPTY_ARCHIVE, exchange({ id: 1 }).id, evaluator), null);
    const detail = exchangeDetailOf(session, EMPTY_ARCHIVE, exchange({ id: 2 }).id, evaluator);
    assert.equal([detail?.requestHead, detail?.responseHead, detail?.server], ["", null, null]);
  });
});
