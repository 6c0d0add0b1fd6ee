import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { describe } from "../../support/describe.ts";
import { sendsAll } from "../../support/sent-requests.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needsVersion } from "../../support/which.ts";

function textOf(head: string, body: Uint8Array = new Uint8Array(), target = "/"): string {
  const request = { method: "POST", origin: "https://a.test", target, protocol: "http/1.1", bodySize: body.length };
  const copied = copyAs({ ...request, head: `POST / HTTP/1.1\r\n${head}\r\n\r\n`, body }, "httpie");
  return copied.ok ? copied.value : copied.problem;
}

describe("copy as HTTPie", (test) => {
  test(
    "given any request, HTTPie in a shell sends its method, URL, headers and body",
    () =>
      withFolder((folder) =>
        sendsAll("httpie", async (text) => {
          const { code, output } = await runTool(["sh", "-c", text], folder);
          assert.is(code, 0, `${text}\n${output}`);
        }),
      ),
    { skip: needsVersion("http", 3) },
  );

  test("given a value that looks like another item, or bytes, says what HTTPie reads", () => {
    assert.match(textOf("Host: a.test\r\nX: =1"), "'X: =1'");
    assert.match(textOf("Host: a.test\r\nX:"), "'X;'");
    assert.match(textOf("Host: a.test", Uint8Array.of(0, 255)), "printf '\\000\\377' |\n  http POST");
    assert.match(textOf("Host: a.test", Buffer.from("-x")), "--raw=-x");
  });

  test("given what HTTPie changes, is refused with a sentence", () => {
    assert.match(textOf("X: a\\:b"), /^HTTPie cannot send the header X unchanged\./);
    assert.match(textOf("X: \u00c2\u00a0a"), /^HTTPie cannot send the header X unchanged\./);
    assert.match(textOf("X: \u00ff"), /^HTTPie cannot send the header X unchanged\./);
    assert.match(textOf("X: 1\r\nX: 2"), /^HTTPie joins headers with the same name\./);
    assert.match(textOf("X: 1", undefined, "/a/../b"), /^HTTPie would change this URL\./);
  });
});
