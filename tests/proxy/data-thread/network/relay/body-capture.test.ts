import fc from "fast-check";
import * as assert from "uvu/assert";
import { BodyCapture } from "../../../../../extensions/proxy/data-thread/network/relay/body-capture.ts";
import { describe } from "../../../../support/describe.ts";

describe("captured part of a body", (test) => {
  test("given pieces and a cap, counts all bytes, and returns those below the cap in order, never an empty piece", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)));
    fc.assert(
      fc.property(pieces, fc.nat(80), (body, cap) => {
        const capture = new BodyCapture(cap);
        const captured = body.flatMap((piece) => capture.addBytes(piece) ?? []);
        const whole = Buffer.concat(body);
        assert.is(capture.size, whole.length);
        assert.equal(Buffer.concat(captured), whole.subarray(0, cap));
        assert.ok(captured.every(({ length }) => length > 0));
      }),
    );
  });
});
