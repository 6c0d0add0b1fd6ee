import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { slowingOf } from "../../../../../extensions/proxy/data-thread/network/relay/slowing.ts";
import type { SlowedSocket } from "../../../../../extensions/proxy/data-thread/network/sockets/slowed-socket.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";

const ms = fc.integer({ min: 0, max: 900 });

describe("slowed exchange", (test) => {
  test("given times in which the line held bytes, counts those of the head, of the upload and of the response", () => {
    fc.assert(
      fc.property(ms, ms, ms, ms, ms, (head, before, upload, between, response) => {
        const held = { heldUp: before, heldDown: between, now: 0 as Instant };
        const socket = { ...held, heldUpSince: () => head };
        const client = { slowed: socket as unknown as SlowedSocket, whenSent: () => {} };
        const slowing = slowingOf(client, 0 as Instant);
        slowing?.uploadBegan();
        socket.heldUp += upload;
        slowing?.uploadEnded();
        slowing?.responseBegan();
        socket.heldDown += response;
        const slowed = { request: head, upload, response };
        assert.equal(slowing?.slowed, head + upload + response === 0 ? undefined : slowed);
      }),
    );
  });

  test("given a client without a slow line, does not exist", () => {
    assert.is(slowingOf({ slowed: null, whenSent: () => {} }, 0 as Instant), null);
    assert.is(slowingOf(undefined, 0 as Instant), null);
  });
});
