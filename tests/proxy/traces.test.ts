import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { bodyKeyOf, tracesOf } from "../../extensions/proxy/traces.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { describe } from "../support/describe.ts";
import { type Said, withStored } from "../support/stored.ts";

const JSON_TYPE = "Content-Type: application/json";

const heldIn = (session: Session, id: number): Exchange => {
  const found = session.exchange(id as Exchange["id"]);
  if (found === null) throw new Error(`no exchange ${id}`);
  return found;
};

async function tracesIn(said: Said) {
  let traces: Awaited<ReturnType<typeof tracesOf>> | null = null;
  await withStored([said], async ({ session, reader }) => {
    traces = await tracesOf(reader, heldIn(session, 1));
  });
  if (traces === null) throw new Error("nothing was read");
  return traces as Awaited<ReturnType<typeof tracesOf>>;
}

describe("traces of an exchange", (test) => {
  test("the words of the request: its URL, headers and body", async () => {
    const { words } = await tracesIn({
      sketch: { method: "POST", target: "/orders/ord-7351?basket=b4sk3t" },
      requestHeaders: [JSON_TYPE, "Authorization: Bearer t0ken-abc"],
      requestBody: '{"voucher":"v0ucher-9"}',
    });
    for (const word of ["ord-7351", "b4sk3t", "t0ken-abc", "v0ucher-9"]) assert.ok(words.has(word), word);
  });

  test("the values of the response: its headers and its body, decoded, without what the request held", async () => {
    const { values } = await tracesIn({
      sketch: { target: "/login?state=st4te-11", contentEncoding: "gzip" },
      responseHeaders: [JSON_TYPE, "Content-Encoding: gzip", "Set-Cookie: sid=c00kie-1; Path=/"],
      responseBody: gzipSync('{"token":"t0ken-abc","state":"st4te-11"}'),
    });
    assert.equal(values, [
      { source: "set-cookie", value: "c00kie-1" },
      { source: "body", value: "t0ken-abc" },
    ]);
  });

  test("a body that is no text is not read, and one that cannot be decoded says nothing", async () => {
    const picture = await tracesIn({
      sketch: {},
      responseHeaders: ["Content-Type: image/png"],
      responseBody: '"abcdefgh"',
    });
    assert.equal(picture.values, []);
    const broken = await tracesIn({
      sketch: { contentEncoding: "gzip" },
      responseHeaders: [JSON_TYPE, "Content-Encoding: gzip"],
      responseBody: '{"token":"t0ken-abc"}',
    });
    assert.equal(broken.values, []);
  });

  test("an answer that a browser had in its cache is read from a file, though nothing was transferred", async () => {
    const { values } = await tracesIn({
      sketch: { tags: ["imported"], encodedBodySize: 0 },
      responseHeaders: [JSON_TYPE],
      responseBody: '{"token":"t0ken-abc"}',
    });
    assert.equal(values, [{ source: "body", value: "t0ken-abc" }]);
  });

  test("of a long body only the beginning is read", async () => {
    const filler = " ".repeat(64 * 1024);
    const { values } = await tracesIn({
      sketch: {},
      responseHeaders: [JSON_TYPE],
      responseBody: `{"first":"v4lue-1",${filler}"last":"v4lue-2"}`,
    });
    assert.equal(values, [{ source: "body", value: "v4lue-1" }]);
  });
});

describe("keys of request bodies", (test) => {
  test("are the same for the same bytes, and differ for others", () =>
    withStored(
      ["a=1", "a=1", "a=2", ""].map((requestBody, index) => ({
        sketch: { id: index + 1, method: "POST" },
        requestBody,
      })),
      ({ session, reader }) => {
        const [first, same, other, none] = [1, 2, 3, 4].map((id) => bodyKeyOf(reader, heldIn(session, id)));
        assert.type(first, "string");
        assert.is(first, same);
        assert.is.not(first, other);
        assert.is.not(none, first);
      },
    ));

  test("there is none for a request in flight whose head announces a body: it may not be there whole", () =>
    withStored(
      [["Content-Length: 3"], ["Transfer-Encoding: chunked"], []].map((requestHeaders, index) => ({
        sketch: { id: index + 1, method: "POST", end: null, requestBodySize: 0 },
        requestHeaders,
        requestBody: requestHeaders.length === 0 ? "" : "abc",
      })),
      ({ session, reader }) => {
        const keys = [1, 2, 3].map((id) => bodyKeyOf(reader, heldIn(session, id)));
        assert.equal(keys, [null, null, ""]);
      },
    ));

  test("there is none for a body that was not kept whole, or that is too large to compare", () =>
    withStored(
      [
        { sketch: { id: 1, method: "POST" }, requestBody: "abc" },
        { sketch: { id: 2, method: "POST" }, requestBody: Buffer.alloc(1024 * 1024) },
        { sketch: { id: 3, method: "POST" }, requestBody: Buffer.alloc(1024 * 1024 + 1) },
      ],
      ({ session, reader }) => {
        const longer = { ...heldIn(session, 1), requestBodySize: 4 };
        assert.is(bodyKeyOf(reader, longer), null);
        assert.type(bodyKeyOf(reader, heldIn(session, 2)), "string");
        assert.is(bodyKeyOf(reader, heldIn(session, 3)), null);
      },
    ));
});
