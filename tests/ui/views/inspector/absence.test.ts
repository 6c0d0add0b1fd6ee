import * as assert from "uvu/assert";
import { bodyAbsenceOf, failureOf, tlsAbsenceOf } from "../../../../src/ui/views/inspector/absence.ts";
import { describe } from "../../../support/describe.ts";
import { checkout } from "./detail.ts";

describe("reasons for missing data in the inspector", (test) => {
  test("given an exchange without TLS data, says why", () => {
    const none = { server: null };
    const address = { server: { address: "203.0.113.7:443", tls: null } };
    const tls = { version: "TLSv1.3", cipher: "X", alpn: null, resumed: false, certificates: [] };
    for (const [detail, reason] of [
      [checkout({ server: { ...address.server, tls } }), ""],
      [checkout(none, { origin: "http://api.shop.test", outcome: null }), "No TLS: this exchange is plain HTTP."],
      [checkout(none, { reused: true }), "No TLS data of the server: too many connections were opened since this one."],
      [checkout(address, { tags: ["imported"] }), "The imported file has no TLS data."],
      [checkout(none, { tags: ["imported"], reused: null }), "The imported file has no TLS data."],
      [checkout(none, { outcome: null, reused: null }), "The server’s TLS data is known once the exchange has ended."],
      [checkout(none, { reused: null }), "No connection to the server was opened."],
      [checkout(address), "No TLS data of the server for this connection."],
    ] as const)
      assert.is(tlsAbsenceOf(detail), reason);
  });

  test("given no body to show, says why", () => {
    const facts = (size: number, kept: number) => ({ size, kept, contentType: null, contentEncoding: null });
    const ended = checkout().exchange;
    const failed = checkout(
      {},
      { outcome: { kind: "failed", errorType: "server-closed", status: null, detail: "It closed." } },
    );
    const imported = checkout({}, { tags: ["imported"] }).exchange;
    for (const [body, exchange, reason] of [
      [facts(418, 418), imported, "Loading."],
      [facts(418, 0), imported, "418 B; the imported file does not contain this body."],
      [facts(418, 0), ended, "418 B forwarded; none of it was kept."],
      [facts(0, 0), checkout({}, { outcome: null }).exchange, "No body so far."],
      [facts(0, 0), ended, "No body."],
      [facts(0, 0), failed.exchange, "No body. It closed."],
    ] as const)
      assert.is(bodyAbsenceOf(body, exchange, "response"), reason);
    assert.is(bodyAbsenceOf(facts(0, 0), failed.exchange, "request"), "No body.");
  });

  test("given a cut body, says why on the side that failed", () => {
    const outcome = { kind: "failed", errorType: "response-truncated", status: 200, detail: "It is cut." } as const;
    const { exchange } = checkout({}, { outcome });
    assert.equal([failureOf(exchange, "response"), failureOf(exchange, "request")], ["It is cut.", ""]);
    assert.is(failureOf(checkout().exchange, "response"), "");
  });
});
