import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { compressionEstimateOf } from "../../../../extensions/proxy/engine-thread/commands/compression-estimate.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { withStored } from "../../../support/stored.ts";

const TEXT = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `Item ${id % 7}`, price: id * 1.1 })));

describe("compression estimate", (test) => {
  test("what gzip, br and zstd would give for an uncompressed text body over 1 KB", () =>
    withStored([json(1, TEXT)], async ({ session, reader }) => {
      const { size, gzip, br, zstd } = await compressionEstimateOf(reader, exchangeOf(session, 1));
      assert.is(size, Buffer.byteLength(TEXT));
      assert.is(gzip, gzipSync(TEXT, { level: 6 }).length);
      for (const smaller of [gzip, br, zstd]) assert.ok(smaller > 100 && smaller < size / 3, `${smaller} of ${size}`);
    }));

  test("nothing else is estimated", () =>
    withStored(
      [json(1, "{}"), { ...json(2, TEXT), sketch: { ...json(2, TEXT).sketch, contentType: "image/png" } }],
      async ({ session, reader }) => {
        for (const id of [1, 2]) assert.match(await refusal(reader, exchangeOf(session, id)), /uncompressed text/);
      },
    ));

  test("a body that was not kept whole is refused", () =>
    withStored([{ ...json(1, TEXT), sketch: { ...json(1, TEXT).sketch, encodedBodySize: 99_999 } }], async (stored) => {
      assert.match(await refusal(stored.reader, exchangeOf(stored.session, 1)), /not kept completely/);
    }));
});

function json(id: number, body: string) {
  return {
    sketch: { id, contentType: "application/json" },
    responseHeaders: ["Content-Type: application/json"],
    responseBody: body,
  };
}

function exchangeOf(session: Session, id: number): Exchange {
  const exchange = session.exchange(id as ExchangeId);
  if (exchange === null) throw new Error("no such exchange");
  return exchange;
}

async function refusal(reader: SessionReader, exchange: Exchange): Promise<string> {
  try {
    await compressionEstimateOf(reader, exchange);
    return "";
  } catch (error) {
    return String(error);
  }
}
