import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../src/engine/messages/decode.ts";
import { describe } from "../../support/describe.ts";

const SORT = { column: "size", descending: true };

describe("deletion messages", (test) => {
  test("given an exchange, ranges or a deletion's number, are read; given anything else, refused", () => {
    const read = (command: object) => decodeToEngine(JSON.stringify({ type: "command", number: 1, command }));
    for (const command of [
      { type: "delete-exchange", exchange: 4 },
      { type: "delete-picked", filter: "", sort: SORT, stretches: [{ from: null, to: 7 }] },
      { type: "undo-deletion", deletion: 3 },
    ])
      assert.equal(read(command), { type: "command", number: 1, command });
    for (const command of [
      { type: "delete-exchange", exchange: "4" },
      { type: "delete-exchange" },
      { type: "delete-picked", filter: "", sort: SORT },
      { type: "undo-deletion", deletion: -1 },
    ])
      assert.is(read(command), null);
  });
});
