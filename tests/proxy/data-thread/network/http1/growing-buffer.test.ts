import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { GrowingBuffer } from "../../../../../extensions/proxy/data-thread/network/http1/growing-buffer.ts";
import { describe } from "../../../../support/describe.ts";

const pieces = fc.array(fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)));

describe("growing buffer", (test) => {
  test("given any pieces, has their bytes in order, and leaves earlier views as they were", () => {
    fc.assert(
      fc.property(fc.uint8Array(), pieces, (first, added) => {
        const buffer = new GrowingBuffer(Buffer.from(first));
        const views = added.map((piece) => {
          buffer.add(piece);
          return buffer.bytes;
        });
        assert.is(buffer.length, buffer.bytes.length);
        views.forEach((view, index) => {
          assert.ok(view.equals(Buffer.concat([first, ...added.slice(0, index + 1)])));
        });
      }),
    );
  });
});
