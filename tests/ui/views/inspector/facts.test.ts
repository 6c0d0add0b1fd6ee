import * as assert from "uvu/assert";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { ERROR_TYPES } from "../../../../src/engine/model/exchange.ts";
import { bodySummaryOf, noteOf, overviewOf, subjectOf, tlsOf } from "../../../../src/ui/views/inspector/facts.ts";
import { describe } from "../../../support/describe.ts";
import { checkout } from "./detail.ts";

function fact(detail: Parameters<typeof overviewOf>[0], name: string): string | undefined {
  return overviewOf(detail)
    .flatMap(({ facts }) => facts)
    .find((each) => each.name === name)
    ?.pieces.join("");
}

/** The facts about the request's body and the response's. */
function bodiesOf(detail: Parameters<typeof overviewOf>[0]): readonly (string | undefined)[] {
  return overviewOf(detail)
    .slice(0, 2)
    .map(({ facts }) => facts.find(({ name }) => name === "Body")?.pieces.join(""));
}

describe("facts in the inspector", (test) => {
  test("given an exchange, shows its method, path, host and status in the header", () => {
    assert.equal(subjectOf(checkout()), {
      method: "POST",
      filled: true,
      path: "/v1/checkout",
      host: "api.shop.test",
      status: "502",
      error: true,
    });
  });

  test("given a server's certificate that cannot be verified, offers both remedies, and for no other failure", () => {
    const untrusted = ["tls-untrusted", "tls-expired", "tls-not-yet-valid", "tls-wrong-host"];
    for (const errorType of ERROR_TYPES) {
      const outcome = { kind: "failed", errorType, detail: "It failed.", status: 502 } as const;
      const note = noteOf(checkout({}, { outcome }));
      assert.is(note?.unverified ?? null, untrusted.includes(errorType) ? "api.shop.test" : null, errorType);
      if (note?.unverified) assert.match(note.text, /--upstream-ca FILE/);
    }
  });

  test("given an exchange in flight, shows what is known so far and says that the rest is not known yet", () => {
    const kept = (bytes: number) => ({ size: 0, kept: bytes, contentType: null, contentEncoding: null });
    const flight = { outcome: null, reused: null };
    const asked = checkout({ latency: null, responseHead: null, requestBody: kept(30), responseBody: kept(0) }, flight);
    assert.is(subjectOf(asked).status, "in flight");
    assert.equal(
      ["Status", "Latency"].map((name) => fact(asked, name)),
      ["in flight", "not known yet"],
    );
    assert.equal(bodiesOf(asked), ["30 B so far", "none so far"]);
    const answered = checkout({ latency: null, requestBody: kept(0), responseBody: kept(2_048) }, flight);
    assert.is(subjectOf(answered).status, "502, in flight");
    assert.is(subjectOf(answered).error, false);
    assert.is(fact(answered, "Status"), "502 Bad Gateway");
    assert.equal(bodiesOf(answered), ["none so far", "2.0 KB so far"]);
    assert.is(fact(checkout({ latency: null }), "Latency"), "none");
  });

  test("given a repaired response, lists the repairs in words, apart from the tags", () => {
    const repaired = checkout({}, { tags: ["resent", "repaired:folded-line", "repaired:status-line"] });
    assert.equal([fact(repaired, "Repaired"), fact(repaired, "Tags")], ["folded header line, status line", "resent"]);
    assert.is(fact(checkout(), "Repaired"), undefined);
  });

  test("given a client, names its program, or says why the program is unknown", () => {
    const program = (change: object) => fact(checkout({}, change), "Program");
    assert.is(program({ program: "curl" }), "curl");
    assert.is(
      program({ client: "127.0.0.1 curl/8.5" }),
      "unknown: the system does not name the program, or the program had exited",
    );
    assert.is(program({ client: "::1" }), "unknown: the system does not name the program, or the program had exited");
    assert.is(program({ client: "192.168.1.7 Mozilla/5.0" }), "unknown: the program runs on another computer");
    assert.is(program({ client: "192.168.1.7", clientConnection: null }), "unknown");
    assert.is(program({ client: "unknown" }), "unknown");
  });

  test("given an encoded body, says how much the encoding saved", () => {
    const smaller = checkout({ responseBody: { size: 418, kept: 418, contentType: null, contentEncoding: "br" } });
    assert.ok(
      overviewOf(smaller)[1]?.facts.some(({ pieces }) => pieces[0] === "418 B from 742 B, br: 44 % smaller (1.8x)"),
    );
  });

  test("given a failure, shows its cause in words and its detail once", () => {
    const failed = checkout(
      { responseHead: null },
      { outcome: { kind: "failed", errorType: "connection-refused", detail: "connect ECONNREFUSED", status: 502 } },
    );
    assert.is(fact(failed, "Status"), "502, answered by Weir");
    assert.is(fact(failed, "Why"), "The server refused the connection");
    assert.is(fact(failed, "Detail"), "connect ECONNREFUSED");
    const detail = "The server closed the connection without a response.";
    const silent = checkout({}, { outcome: { kind: "failed", errorType: "server-closed", detail, status: 502 } });
    assert.is(
      overviewOf(silent)[1]?.facts.some(({ name }) => name === "Detail"),
      false,
      "it is not said twice",
    );
    const timed = overviewOf({ ...failed, latency: null, failedAfter: 30_012.4 });
    assert.equal(
      timed[2]?.facts
        .filter(({ name }) => name === "Latency" || name === "Failed after")
        .map(({ pieces }) => pieces[0]),
      ["none", "30,012.4 ms"],
    );
  });

  test("given a body, shows its type, encoding and sizes in one line, and how much was kept", () => {
    const body = { size: 2048, kept: 1024, contentType: "application/json; charset=utf-8", contentEncoding: "gzip" };
    const coded = "JSON, gzip, 2.0 KB from 8.0 KB";
    assert.is(bodySummaryOf(body, 8192, false), `${coded}, only 1.0 KB kept`);
    // A body of a HAR file is stored decoded, so more bytes than were transferred may be less than all.
    assert.is(bodySummaryOf({ ...body, kept: 4096 }, 8192, true), `${coded}, only 4.0 KB kept`);
    assert.is(bodySummaryOf({ ...body, kept: 8192 }, 8192, true), coded);
  });

  test("given operation, query, cookies, cache headers and Server-Timing, shows a fact for each", () => {
    const asked = checkout(
      {
        requestHead: "POST /graphql?v=2 HTTP/1.1\r\nCookie: a=1; b=2\r\n\r\n",
        responseHead: "HTTP/1.1 200 OK\r\nSet-Cookie: a=3\r\nETag: x\r\nServer-Timing: db;dur=212\r\n\r\n",
      },
      { target: "/graphql?v=2", endpoint: endpointOf("POST", "https://api.shop.test", "/graphql", "GetUser") },
    );
    assert.equal(
      ["Operation", "v", "Cookies", "Cookies set", "ETag", "Server-Timing"].map((name) => fact(asked, name)),
      ["GetUser", "2", "2 cookies, 8 B", "1 cookie, 3 B", "x", "db 212.0 ms"],
    );
    assert.is(fact(checkout(), "Operation"), undefined);
    assert.equal(
      overviewOf(checkout({ responseHead: null })).map(({ title }) => title),
      ["Request", "Response", "Time", "Protocol"],
    );
  });

  test("given an address, allows line breaks after separators, but not in an address of 200 KB", () => {
    const piecesOf = (target: string) => overviewOf(checkout({}, { target }))[0]?.facts[0]?.pieces.slice(1);
    assert.equal(piecesOf("/a/b?c=1&d=2"), ["api.shop.test/", "a/", "b?", "c=1&", "d=2"]);
    assert.equal(piecesOf("/a".repeat(100_000)), []);
  });

  test("given TLS, shows both connections and the certificates, leaf first, and nothing for a plain connection", () => {
    assert.equal(tlsOf(checkout()), []);
    const certificate = {
      subject: "CN=a",
      issuer: "CN=b",
      names: "DNS:a",
      validFrom: "1",
      validTo: "2",
      fingerprint: "AA",
    };
    const tls = {
      version: "TLSv1.3",
      cipher: "X",
      alpn: null,
      resumed: false,
      certificates: [certificate, certificate],
    };
    const server = { address: "203.0.113.7:443", tls };
    const titlesOf = (detail: Parameters<typeof tlsOf>[0]) => tlsOf(detail).map(({ title }) => title);
    const ofServer = ["Connection to the server", "Server's certificate", "Issuer 1"];
    assert.equal(titlesOf(checkout({ server })), ofServer);
    const clientTls = { version: "TLSv1.2", cipher: "Y", alpn: "h2", resumed: true };
    assert.equal(titlesOf(checkout({ server, clientTls })), ["Connection from the client", ...ofServer]);
    const [client] = tlsOf(checkout({ clientTls }));
    assert.equal(
      client?.facts.map(({ name, pieces }) => [name, ...pieces]),
      [
        ["Version", "TLSv1.2"],
        ["Cipher", "Y"],
        ["ALPN", "h2"],
        ["Session", "resumed"],
      ],
    );
  });
});
