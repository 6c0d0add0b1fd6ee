import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import type { Har } from "har-format";
import * as assert from "uvu/assert";
import { Searches } from "../../../extensions/proxy/analysis-thread/search.ts";
import { BodyReading } from "../../../extensions/proxy/engine-thread/recording/body-reading.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import type { Side } from "../../../src/engine/capture/event.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { harPieces } from "../../../src/engine/report/har-pieces.ts";
import { codingOf } from "../../../src/engine/report/stored-body.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { withStored } from "../../support/stored.ts";

type Encode = (body: Uint8Array) => Buffer;

const CODINGS: Readonly<Record<string, Encode>> = {
  gzip: (body) => gzipSync(body),
  "x-gzip": (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  Deflate: (body) => deflateRawSync(body),
  br: (body) => brotliCompressSync(body),
  zstd: (body) => zstdCompressSync(body),
  identity: (body) => Buffer.from(body),
};

/** A body with the header lines for its codings. */
interface Coded {
  readonly lines: readonly string[];
  readonly bytes: Buffer;
}

interface Shown {
  readonly bytes: Buffer;
  readonly problem: string | null;
}

const name = fc
  .constantFrom(...Object.keys(CODINGS))
  .chain((coding) =>
    fc
      .boolean()
      .map((isUpper) => ({ encode: CODINGS[coding] as Encode, word: isUpper ? coding.toUpperCase() : coding })),
  );
/** A whole word, so that no escaping or cutting can change it. */
const text = fc.string({ unit: "grapheme", maxLength: 200 }).map((around) => `needle ${around}`);
const stack = fc.array(name, { maxLength: 4 });

describe("stored bodies", (test) => {
  test("given an imported exchange, treats its stored body as decoded whatever its head says", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    assert.is(codingOf(exchange({}), head), "gzip");
    assert.is(codingOf(exchange({ tags: ["imported"] }), head), null);
  });

  test("given any text and content codings, inspector, search and export show the decoded text", () => {
    const body = fc.tuple(text, stack, fc.boolean());
    return fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 4, maxLength: 12 }), async (bodies) => {
        const coded = bodies.map(([plain, codings, isOneLine]) => codedWith(Buffer.from(plain), codings, isOneLine));
        const shown = await shownOf(coded);
        for (const [at, [plain]] of bodies.entries())
          assert.equal(shown[at], { bytes: Buffer.from(plain), problem: null });
      }),
      { numRuns: rounds(6) },
    );
  });

  test("given a body that is not what its head says, all three show the same bytes and the reason", () => {
    const wrong = Buffer.from("a needle that nobody has encoded");
    const packed = gzipSync(wrong);
    const cases: readonly (Coded & { readonly expected: Buffer })[] = [
      { lines: ["gzip"], bytes: wrong, expected: wrong },
      { lines: ["UTF-8"], bytes: wrong, expected: wrong },
      { lines: ["none"], bytes: wrong, expected: wrong },
      { lines: ["aws-chunked"], bytes: wrong, expected: wrong },
      { lines: ["sdch, gzip"], bytes: packed, expected: wrong },
      { lines: ["sdch", "gzip"], bytes: packed, expected: wrong },
      { lines: ["gzip", "gzip"], bytes: gzipSync(packed.subarray(0, -8)), expected: wrong },
      { lines: ["gzip"], bytes: packed.subarray(0, -8), expected: wrong },
      { lines: ["gzip"], bytes: Buffer.concat([packed, wrong]), expected: Buffer.concat([wrong, wrong]) },
    ];
    return shownOf(cases).then((shown) => {
      for (const [at, { bytes, problem }] of shown.entries()) {
        const { lines, expected } = cases[at] ?? { lines: [], expected: wrong };
        assert.ok(problem !== null && bytes.equals(expected), `${lines}: ${bytes} ${problem}`);
      }
    });
  });

  test("given changed or cut bytes, all three agree, and nothing but what was sent is shown without a reason", () => {
    const checked = fc.constantFrom("gzip", "deflate");
    const change = fc.record({ place: fc.nat(10_000), bits: fc.integer({ min: 1, max: 255 }), isCut: fc.boolean() });
    return fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, checked, change), { minLength: 4, maxLength: 12 }), async (bodies) => {
        const coded = bodies.map(([plain, coding, { place: index, bits, isCut }]) => {
          const bytes = Buffer.from((CODINGS[coding] as Encode)(Buffer.from(plain)));
          const at = 1 + (index % (bytes.length - 1));
          if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ bits;
          return { lines: [coding], bytes: isCut ? bytes.subarray(0, at) : bytes };
        });
        for (const [at, { bytes, problem }] of (await shownOf(coded, false)).entries()) {
          const plain = Buffer.from(bodies[at]?.[0] ?? "");
          const came = coded[at]?.bytes ?? plain;
          if (problem === null) assert.ok(bytes.equals(plain));
          else if (/the bytes as received$/.test(problem)) assert.ok(bytes.equals(came));
          else if (bodies[at]?.[2].isCut) assert.ok(plain.subarray(0, bytes.length).equals(bytes));
        }
      }),
      { numRuns: rounds(8) },
    );
  });
});

function codedWith(
  plain: Buffer,
  codings: readonly { readonly encode: Encode; readonly word: string }[],
  isOneLine: boolean,
): Coded {
  const words = codings.map(({ word }) => word);
  const bytes = codings.reduce((body, { encode }) => encode(body), plain);
  return { bytes, lines: isOneLine && words.length > 0 ? [words.join(" , ")] : words };
}

/**
 * The response's body as window and export show it; a request with the same body must give the same result. `isFound`:
 * whether search finds a needle in the body.
 */
async function shownOf(bodies: readonly Coded[], isFound = true): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const conversation = bodies.map(({ lines, bytes }, index) => {
    const headers = lines.map((line) => `Content-Encoding: ${line}`);
    const sketch = { id: index + 1, start: index, method: "POST", path: "/" };
    return { sketch, requestHeaders: headers, responseHeaders: headers, requestBody: bytes, responseBody: bytes };
  });
  await withStored(conversation, async ({ session, reader }) => {
    const entries = await entriesOf(session, reader);
    const window = new BodyReading();
    for (const [index, { bytes }] of bodies.entries()) {
      const id = (index + 1) as ExchangeId;
      const one = session.exchange(id);
      const entry = entries[index];
      if (one === null || entry === undefined) throw new Error("it is not there");
      const piece = (side: Side) => window.piece(reader, one, side, "decoded", 0, 256 * 1024);
      const { base64, problem } = await piece("response");
      assert.equal(await piece("request"), await piece("response"));
      const { content } = entry.response;
      const { postData } = entry.request;
      const encoding = (postData as { _encoding?: string } | undefined)?._encoding;
      assert.is(bytesOf(content.text, content.encoding), base64);
      assert.is(bytes.length === 0 ? base64 : bytesOf(postData?.text, encoding), base64);
      assert.is(content.comment !== undefined, problem !== null);
      shown.push({ bytes: Buffer.from(base64, "base64"), problem });
    }
    const found = await foundIn(session, reader);
    const expected = shown.flatMap(({ bytes }, index) => (bytes.toString().includes("needle") ? [index + 1] : []));
    assert.equal(found, expected);
    if (isFound) assert.is(found.length, bodies.length);
  });
  return shown;
}

/** As base64. */
function bytesOf(written: string | undefined, encoding: string | undefined): string {
  return Buffer.from(written ?? "", encoding === "base64" ? "base64" : "utf8").toString("base64");
}

async function entriesOf(session: Session, reader: SessionReader): Promise<Har["log"]["entries"]> {
  const source = { session, reader, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "1" };
  const all = Array.from({ length: session.exchanges }, (_, index) => session.exchange((index + 1) as ExchangeId));
  const pieces: string[] = [];
  const exchanges = all.filter((one) => one !== null);
  for await (const { text: part } of harPieces(source, exchanges, false)) pieces.push(part);
  return (JSON.parse(pieces.join("")) as Har).log.entries;
}

/** The exchanges in whose bodies search finds the needle. */
function foundIn(session: Session, reader: SessionReader): Promise<number[]> {
  const found: number[] = [];
  return new Promise((resolve) => {
    new Searches().start(1, { session, reader }, "needle", (message) => {
      if (message.type !== "search-hits") return;
      found.push(...message.hits.map((hit) => hit.exchange));
      if (message.done) resolve(found.sort((one, other) => one - other));
    });
  });
}
