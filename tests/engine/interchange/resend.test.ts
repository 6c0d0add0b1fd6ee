import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../../src/engine/interchange/copied-request.ts";
import { resentRequest } from "../../../src/engine/interchange/resend.ts";
import { STORED_HEAD, storedHead } from "../../../src/engine/model/head.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

function request(change: Partial<CopiedRequest> = {}, ...fields: readonly string[]): CopiedRequest {
  return {
    method: "POST",
    origin: "https://api.test",
    target: "/orders?page=2",
    protocol: "http/1.1",
    head: ["POST /orders?page=2 HTTP/1.1", "Host: api.test", ...fields, "", ""].join("\r\n"),
    body: new TextEncoder().encode("abc"),
    bodySize: 3,
    ...change,
  };
}

function headOf(made: ReturnType<typeof resentRequest>): readonly string[] {
  return unwrap(made).head.split("\r\n");
}

describe("request to resend", (test) => {
  test("given a request, keeps method, target and headers in order, case and duplicates", () => {
    const made = resentRequest(request({}, "X-b: 1", "x-A: 2", "X-b: 3", "Content-Length: 3"));
    assert.equal(headOf(made), [
      "POST /orders?page=2 HTTP/1.1",
      "Host: api.test",
      "X-b: 1",
      "x-A: 2",
      "X-b: 3",
      "Content-Length: 3",
      "Connection: close",
      "",
      "",
    ]);
  });

  test("given headers of a connection or a proxy, leaves them out and sets the body's length", () => {
    const made = resentRequest(
      request(
        {},
        "Connection: keep-alive, X-Own",
        "Proxy-Authorization: Basic eDp5",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue",
      ),
    );
    assert.equal(headOf(made).slice(2, -2), ["Content-Length: 3", "Connection: close"]);
  });

  test("given an HTTP/2 request with a body, sets the body's length", () => {
    const head = "POST /orders?page=2 HTTP/2\r\nhost: api.test\r\n\r\n";
    assert.equal(headOf(resentRequest(request({ protocol: "h2", head }))).slice(0, -2), [
      "POST /orders?page=2 HTTP/1.1",
      "host: api.test",
      "Content-Length: 3",
      "Connection: close",
    ]);
  });

  test("given a request through a proxy without TLS, writes its target in origin-form", () => {
    const head = "GET http://api.test/orders HTTP/1.1\r\nHost: api.test\r\n\r\n";
    const made = resentRequest(
      request({ method: "GET", target: "/orders", head, body: new Uint8Array(), bodySize: 0 }),
    );
    assert.is(headOf(made)[0], "GET /orders HTTP/1.1");
    assert.not.ok(headOf(made).includes("Content-Length: 0"));
  });

  for (const [what, change, fields] of [
    ["a tunnel", { method: "CONNECT", target: "api.test:443" }, []],
    ["a WebSocket handshake", {}, ["Upgrade: websocket"]],
    ["an incomplete body", { bodySize: 9 }, []],
    ["an invalid origin", { origin: "file://x" }, []],
  ] as const) {
    test(`given ${what}, refuses to send it again, with a sentence`, () => {
      assert.match(problemOf(resentRequest(request(change, ...fields))), /^[A-Z].*\.$/);
    });
  }

  test("given a head that was cut or is no longer stored, refuses with the reason", () => {
    const head = storedHead(`GET / HTTP/1.1\r\nx: ${"v".repeat(STORED_HEAD)}\r\n\r\n`);
    assert.match(problemOf(resentRequest(request({ head }))), "only a part of these headers");
    assert.match(problemOf(resentRequest(request({ head: "" }))), "no longer keeps these headers");
  });
});
