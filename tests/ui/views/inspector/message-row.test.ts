import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { MessageRecord } from "../../../../src/engine/messages/exchange-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { durationText } from "../../../../src/ui/format/duration.ts";
import { messageRowOf } from "../../../../src/ui/views/inspector/message-row.ts";
import { describe } from "../../../support/describe.ts";

const record = (at: number, side: MessageRecord["side"]): MessageRecord => ({
  index: 0,
  at: at as Instant,
  side,
  kind: "text",
  size: 2_048,
  preview: "hello",
  cut: false,
});
const side = fc.constantFrom("request" as const, "response" as const);

describe("rows of the Messages tab", (test) => {
  test("given two messages, shows the sender and the time since the message before, of either side", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), side, side, (start, gap, one, other) => {
        const row = messageRowOf(record(start + gap, one), record(start, other));
        assert.equal([row.gap, row.gapUnit], [durationText(gap), "ms"]);
        assert.equal([row.from, row.arrow], one === "request" ? ["client", "↑"] : ["server", "↓"]);
      }),
    );
  });

  test("given no message before, shows no gap", () => {
    const row = messageRowOf(record(1, "request"), null);
    assert.equal([row.gap, row.gapUnit, row.kind, row.preview], ["", "", "text", "hello"]);
  });
});
