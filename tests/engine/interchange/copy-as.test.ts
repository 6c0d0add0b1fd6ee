import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { COPIED_AS } from "../../../src/engine/messages/exchange-messages.ts";
import { describe } from "../../support/describe.ts";

describe("a copied request", (test) => {
  test("given a body that fits no clipboard, is refused in each form before a byte of it is read", () => {
    const { body, reads } = watched(2_000_000);
    for (const form of COPIED_AS) {
      if (form === "har") continue;
      const head = "POST / HTTP/1.1\r\nHost: a.test\r\n\r\n";
      const request = { method: "POST", origin: "https://a.test", target: "/", protocol: "http/1.1", head };
      const copied = copyAs({ ...request, body, bodySize: body.length }, form);
      assert.equal(copied, { ok: false, problem: "This request is too long for the clipboard." }, form);
    }
    assert.equal(reads, []);
  });
});

/** A body, and which of its properties were read, other than its length. */
function watched(length: number) {
  const reads: (string | symbol)[] = [];
  const body = new Proxy(new Uint8Array(), {
    get: (_, name) => {
      if (name === "length") return length;
      reads.push(name);
      return undefined;
    },
  });
  return { body, reads };
}
