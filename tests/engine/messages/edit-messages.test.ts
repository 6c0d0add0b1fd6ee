import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../src/engine/messages/decode.ts";
import { describe } from "../../support/describe.ts";

const decoded = (command: object) => decodeToEngine(JSON.stringify({ type: "command", number: 1, command }));
const SEND = { type: "send-edited", exchange: 1, method: "GET", url: "http://a.test/", headers: "", body: null };

describe("edit messages", (test) => {
  test("given whole commands, decodes them; given others, or texts that are too long, none", () => {
    for (const command of [{ type: "edit-request", exchange: 1 }, SEND, { ...SEND, body: "a" }])
      assert.equal(decoded(command), { type: "command", number: 1, command });
    for (const change of [{ body: 1 }, { url: "a".repeat(70_000) }, { exchange: -1 }, { headers: null }])
      assert.is(decoded({ ...SEND, ...change }), null);
  });
});
