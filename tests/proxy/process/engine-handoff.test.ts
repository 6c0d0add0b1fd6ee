import { Readable } from "node:stream";
import * as assert from "uvu/assert";
import { readEngineHandoff } from "../../../extensions/proxy/process/engine-handoff.ts";
import { describe } from "../../support/describe.ts";

const LINE = '{"nlPort":"40123","nlToken":"abc.def","nlConnectToken":"def","nlExtensionId":"dev.weir.proxy"}\n';

describe("engine handoff", (test) => {
  test("given the shell's line of JSON in pieces of any size, reads it", async () => {
    for (const size of [1, 7, LINE.length]) {
      const pieces = LINE.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      assert.equal(await readEngineHandoff(Readable.from(pieces)), {
        port: 40123,
        token: "abc.def",
        connectToken: "def",
        extensionId: "dev.weir.proxy",
      });
    }
  });

  for (const text of [
    "",
    "\n",
    "{}",
    "[]",
    "null",
    "{",
    '{"nlPort":"x","nlToken":"a","nlConnectToken":"b","nlExtensionId":"c"}',
  ]) {
    test(`given ${JSON.stringify(text)}, returns null`, async () => {
      assert.is(await readEngineHandoff(Readable.from([text])), null);
    });
  }
});
