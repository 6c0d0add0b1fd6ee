import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../src/engine/messages/decode.ts";
import { describe } from "../../support/describe.ts";

const decoded = (command: object) => decodeToEngine(JSON.stringify({ type: "command", number: 1, command }));

const SORT = { column: "latency", descending: true };

describe("difference messages", (test) => {
  test("given whole questions, decodes them", () => {
    for (const command of [
      { type: "compare-exchanges", exchange: 1, other: 2 },
      { type: "compare-exchanges", exchange: 1, other: "twin" },
      { type: "compare-exchanges", exchange: 1, other: "marked" },
      { type: "what-differs", set: { by: "rows", filter: "", sort: SORT, stretches: [{ from: 1, to: null }] } },
      { type: "what-differs", set: { by: "matches", filter: "dur>5", between: null } },
      { type: "what-differs", set: { by: "matches", filter: "", between: { from: 1.5, to: 2 } } },
    ])
      assert.equal(decoded(command), { type: "command", number: 1, command });
  });

  test("given anything else, decodes nothing", () => {
    for (const command of [
      { type: "compare-exchanges", exchange: 1, other: "newest" },
      { type: "compare-exchanges", exchange: -1, other: 2 },
      { type: "what-differs", set: { by: "rows", filter: "", sort: { column: "x", descending: true }, stretches: [] } },
      { type: "what-differs", set: { by: "matches", filter: "x".repeat(100_000), between: null } },
      { type: "what-differs", set: { by: "matches", filter: "", between: { from: 1 } } },
    ])
      assert.is(decoded(command), null);
  });
});
