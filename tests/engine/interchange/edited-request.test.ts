import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { editableOf, editedRequest, editProblemsOf } from "../../../src/engine/interchange/edited-request.ts";
import { type ResentRequest, resentRequest } from "../../../src/engine/interchange/resend.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const name = fc.stringMatching(/^x-[a-z]{1,8}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const target = fc.stringMatching(/^\/[a-z/]{0,10}(\?[a-z=&%20]{0,10})?$/);

/** A request as it is sent again. */
const resent = fc
  .record({ target, fields: fc.array(fc.tuple(name, value), { maxLength: 5 }), body: fc.string(), host: fc.boolean() })
  .map(({ target, fields, body, host }): ResentRequest => {
    const lines = [["host", host ? "api.test" : "other.test"] as const, ...fields].map((pair) => pair.join(": "));
    const head = `POST ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\nContent-Length: 3\r\n\r\n`;
    const bytes = new TextEncoder().encode(body);
    const request = { method: "POST", origin: "https://api.test", target, protocol: "h2", head, body: bytes };
    return unwrap(resentRequest({ ...request, bodySize: bytes.length }));
  });

const PLAIN = { method: "GET", url: "https://api.test/v1", headers: "" };

describe("edited request to send", (test) => {
  test("given a recorded request that is not changed, sends the same fields and the same body", () => {
    fc.assert(
      fc.property(resent, (request) => {
        const { body, bodySize, ...editable } = editableOf(request);
        assert.equal([body, bodySize], [new TextDecoder().decode(request.body), request.body.length]);
        const sent = unwrap(editedRequest(editable, request.body));
        assert.is(sent.origin, request.origin);
        const sorted = (head: string) => head.toLowerCase().split("\r\n").sort();
        assert.equal(sorted(sent.head), sorted(request.head));
      }),
    );
  });

  test("given a body that is no text, or a long one, it is not offered for editing", () => {
    const of = (body: Uint8Array) => editableOf({ origin: "http://a.test", head: "GET / HTTP/1.1\r\n\r\n", body });
    assert.equal([of(Uint8Array.of(0xff)).body, of(new Uint8Array(300_000)).body], [null, null]);
  });

  test("given another host in the URL, names it; given a Host of the user's, keeps that", () => {
    const headOf = (headers: string) =>
      unwrap(editedRequest({ ...PLAIN, url: "http://127.0.0.1:9001?a=1", headers }, new Uint8Array())).head;
    assert.is(
      headOf("Accept: */*"),
      "GET /?a=1 HTTP/1.1\r\nHost: 127.0.0.1:9001\r\nAccept: */*\r\nConnection: close\r\n\r\n",
    );
    assert.match(headOf("Host: virtual.test"), /^GET \/\?a=1 HTTP\/1\.1\r\nHost: virtual\.test\r\nConnection/);
  });

  test("given bad input, says beside which field and why, and sends nothing", () => {
    const bad: readonly (readonly [object, "method" | "url" | "headers", RegExp])[] = [
      [{ method: "" }, "method", /Enter a method/],
      [{ method: "GET /x" }, "method", /without spaces/],
      [{ method: "connect" }, "method", /tunnel/],
      ...[
        "",
        "api.test/v1",
        "ftp://a.test/",
        "https://user@a.test/",
        "https://a.test/ä",
        "https://a.test:99999/",
        "https://a.test/a b",
      ].map((url) => [{ url }, "url", /Enter an http or https URL/] as const),
      [{ url: "https://a.test/#top" }, "url", /after #/],
      [{ headers: "Accept */*" }, "headers", /^Line 1: enter a name/],
      [{ headers: "A: 1\n\nB C: 2" }, "headers", /^Line 3: enter a name/],
      [{ headers: "A: 1\r2" }, "headers", /^Line 1: the value has a character/],
      [{ headers: "A: ł" }, "headers", /^Line 1: the value/],
      [{ headers: "Content-Length: 3" }, "headers", /Weir writes Content-Length itself/],
      [{ headers: "a".repeat(65_000) }, "headers", /64 KB/],
    ];
    for (const [change, field, reason] of bad) {
      const problems = editProblemsOf({ ...PLAIN, ...change });
      assert.equal(Object.keys(problems), [field], JSON.stringify(change).slice(0, 80));
      assert.match(problems[field] ?? "", reason);
      assert.not.ok(editedRequest({ ...PLAIN, ...change }, new Uint8Array()).ok);
    }
    assert.equal(editProblemsOf(PLAIN), {});
  });

  test("given any headers, a line can never end a header early", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (headers) => {
        const sent = editedRequest({ ...PLAIN, headers }, new Uint8Array());
        if (!sent.ok) return;
        const lines = sent.value.head.slice(0, -4).split("\r\n");
        assert.is(
          lines.length,
          headers.split("\n").filter((line) => line.trim() !== "").length + (/^host:/im.test(headers) ? 2 : 3),
        );
        assert.not.match(sent.value.head.replaceAll("\r\n", ""), /[\r\n]/);
      }),
    );
  });
});
