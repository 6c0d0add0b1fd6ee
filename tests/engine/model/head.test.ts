import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  fieldsOf,
  headerOf,
  headLossOf,
  isCutHead,
  listOf,
  reasonOf,
  STORED_HEAD,
  statusIn,
  storedHead,
  valuesOf,
} from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";

const HEAD = "GET /Host: HTTP/1.1\r\nhost:a.test\r\nX-A: 1 \r\nUser-Agent:\t curl/8 \r\nx-a: 2\r\nEmpty:\r\n\r\n";

describe("HTTP head", (test) => {
  test("given a header name in lower case, finds the header in any case and trims its value", () => {
    assert.is(headerOf(HEAD, "host"), "a.test");
    assert.is(headerOf(HEAD, "user-agent"), "curl/8");
    assert.is(headerOf(HEAD, "empty"), "");
  });

  test("given a repeated header, returns the first; given an absent header, returns null", () => {
    assert.is(headerOf(HEAD, "x-a"), "1");
    assert.is(headerOf(HEAD, "agent"), null);
    assert.is(headerOf("GET / HTTP/1.1", "host"), null);
    assert.is(headerOf("", "host"), null);
  });

  test("given repeated headers, returns all values and names in order", () => {
    assert.equal(valuesOf(HEAD, "x-a"), ["1", "2"]);
    assert.equal(
      fieldsOf(HEAD).map(({ name }) => name),
      ["host", "X-A", "User-Agent", "x-a", "Empty"],
    );
  });

  test("given repeated headers, joins their values with commas, or returns null without any", () => {
    assert.equal(
      ["x-a", "host", "empty", "agent"].map((name) => listOf(HEAD, name)),
      ["1, 2", "a.test", "", null],
    );
    const name = fc.constantFrom("a", "A", "ab", "b", "b-a");
    const line = fc.tuple(name, fc.constantFrom("", "1", " a: 2", "a")).map(([field, value]) => `${field}:${value}`);
    fc.assert(
      fc.property(fc.array(line), name, (lines, wanted) => {
        const head = ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n");
        const lower = wanted.toLowerCase();
        const values = valuesOf(head, lower);
        assert.is(listOf(head, lower), values.length === 0 ? null : values.join(", "));
        assert.is(headerOf(head, lower), values[0] ?? null);
      }),
    );
  });

  test("given a response's first line, returns its status and reason", () => {
    assert.is(reasonOf("HTTP/1.1 404 Not Here\r\n\r\n"), "Not Here");
    assert.equal(["HTTP/1.1 404 Not Here\r\n\r\n", "HTTP/2 200\r\n\r\n", HEAD, ""].map(statusIn), [
      404,
      200,
      null,
      null,
    ]);
  });

  test("given a head, stores it whole or within the limit, with the lines that fit, and knows which", () =>
    fc.assert(
      fc.property(fc.nat(60_000), fc.array(fc.nat(20_000), { maxLength: 12 }), (target, lengths) => {
        const lines = lengths.map((length, number) => `x-${number}: ${"v".repeat(length)}`);
        const head = [`GET /${"t".repeat(target)} HTTP/1.1`, ...lines, "", ""].join("\r\n");
        const stored = storedHead(head);
        assert.ok(stored.length <= STORED_HEAD);
        assert.is(isCutHead(stored), head.length > STORED_HEAD);
        assert.is(headLossOf(stored) === null, stored === head);
        const fields = fieldsOf(stored);
        for (const { name, value } of fields) assert.equal(valuesOf(head, name), [value]);
        const left = STORED_HEAD - stored.length;
        for (const line of lines) {
          const isKept = fields.some(({ name }) => line.startsWith(`${name}:`));
          assert.ok(isKept || stored !== head);
          if (head.length > STORED_HEAD && !isKept) assert.ok(line.length + 2 > left);
        }
        assert.is(storedHead(stored), stored);
      }),
    ));
});
