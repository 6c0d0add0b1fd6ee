import { gunzipSync, gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { CompressionMeter, readBodyOf } from "../../../src/engine/report/body-facts.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { type Said, withStored } from "../../support/stored.ts";

const GZIP = { gzipSizeOf: async (bytes: Uint8Array) => gzipSync(bytes, { level: 6 }).length };

const JSON_TYPE = "Content-Type: application/json";

async function responseOf(said: Said) {
  const read: Awaited<ReturnType<typeof readBodyOf>>[] = [];
  await withStored([said], async ({ session, reader }) => {
    const held = session.exchange(1 as Parameters<typeof session.exchange>[0]);
    if (held === null) throw new Error("no exchange");
    read.push(await readBodyOf(reader, held, "response", reader.headsOf(held.id)?.response ?? ""));
  });
  const [only] = read;
  if (only === undefined) throw new Error("nothing was read");
  return only;
}

describe("body facts", (test) => {
  test("given equal text with and without a coding, hashes it alike", async () => {
    const text = '{"a":1}';
    const plain = await responseOf({ sketch: {}, responseHeaders: [JSON_TYPE], responseBody: text });
    const coded = await responseOf({
      sketch: { contentEncoding: "gzip" },
      responseHeaders: [JSON_TYPE],
      responseBody: gzipSync(text),
    });
    assert.equal([plain.text, coded.text], [text, text]);
    assert.is(plain.facts.hash, coded.facts.hash);
    assert.is.not(plain.facts.size, coded.facts.size);
  });

  test("given a picture, hashes it and has no text", async () => {
    const { facts, text } = await responseOf({
      sketch: {},
      responseHeaders: ["Content-Type: image/png"],
      responseBody: '"abc"',
    });
    assert.ok(facts.hash);
    assert.is(text, "");
  });

  test("given a text of more than 256 KiB, has its beginning and hashes all of it", async () => {
    const text = "0123456789abcdef".repeat(16_384 + 1);
    const said = { sketch: {}, responseHeaders: ["Content-Type: text/plain"] };
    const [long, longer] = [
      await responseOf({ ...said, responseBody: text }),
      await responseOf({ ...said, responseBody: `${text}x` }),
    ];
    assert.equal([long.text, longer.text], [text.slice(0, 262_144), text.slice(0, 262_144)]);
    assert.is.not(long.facts.hash, longer.facts.hash);
  });

  test("given equal bodies of one endpoint, returns the gzip size of each", async () => {
    const meter = new CompressionMeter(GZIP);
    const endpoint = { method: "GET", origin: "https://a.test", path: "/x", operation: null };
    const body = Buffer.from(
      JSON.stringify(Array.from({ length: 300 }, (_, index) => ({ index, name: `thing ${index * 7}` }))),
    );
    const plain = exchange({ contentType: "application/json", encodedBodySize: body.length });
    const size = await meter.compressedSizeOf(plain, endpoint, body);
    assert.is(size, gzipSync(body, { level: 6 }).length);
    for (let count = 0; count < 30; count += 1) assert.is(await meter.compressedSizeOf(plain, endpoint, body), size);
    assert.is(gunzipSync(gzipSync(body)).length, body.length);
  });

  test("given coded, binary, small and absent bodies, measures none", async () => {
    const meter = new CompressionMeter(GZIP);
    const endpoint = { method: "GET", origin: "https://a.test", path: "/x", operation: null };
    const sizeOf = (more: object, body: Buffer | null = Buffer.alloc(5_000, "a")) =>
      meter.compressedSizeOf(exchange({ contentType: "text/plain", encodedBodySize: 5_000, ...more }), endpoint, body);
    assert.equal(
      [
        await sizeOf({ contentEncoding: "br" }),
        await sizeOf({ contentType: "image/png" }),
        await sizeOf({ encodedBodySize: 400 }),
        await sizeOf({}, null),
      ],
      [null, null, null, null],
    );
    assert.type(await sizeOf({}), "number");
  });
});
