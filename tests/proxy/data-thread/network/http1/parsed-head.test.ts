import fc from "fast-check";
import * as assert from "uvu/assert";
import { ParsedHead } from "../../../../../extensions/proxy/data-thread/network/http1/parsed-head.ts";
import { describe } from "../../../../support/describe.ts";

const options = fc.uniqueArray(fc.constantFrom("close", "keep-alive", "upgrade", "x-hop"));

describe("parsed heads", (test) => {
  test("given header lines, gives each with its name in lower case, and the same list again", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,12}$/);
    const value = fc.stringMatching(/^(?:[!-~]{1,12})?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (lines) => {
        const text = `GET / HTTP/1.1\r\n${lines.map(([one, its]) => `${one}: ${its}\r\n`).join("")}\r\n`;
        const head = headOf(text, "1.1", []);
        assert.equal(
          head.headers.map((line) => [line.name, line.value]),
          lines.map(([one, its]) => [one.toLowerCase(), its]),
        );
        assert.is(head.headers, head.headers);
      }),
    );
  });

  test("given HTTP/1.1, keeps the connection unless close is named; given HTTP/1.0, only if keep-alive is named", () => {
    fc.assert(
      fc.property(options, (named) => {
        const isClosed = named.includes("close");
        assert.is(headOf("\r\n\r\n", "1.1", named).keepAlive, !isClosed);
        assert.is(headOf("\r\n\r\n", "1.0", named).keepAlive, !isClosed && named.includes("keep-alive"));
      }),
    );
  });
});

function headOf(text: string, version: "1.0" | "1.1", named: readonly string[]): ParsedHead {
  return new ParsedHead(text, version, { kind: "fields", notable: [], options: named }, { kind: "none" });
}
