import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";
import { IS_QUICK } from "../../support/rounds.ts";
import { sentRequests } from "../../support/sent-requests.ts";

/**
 * A `.http` file by JetBrains' HTTP Request in Editor Specification: comments, request line, fields, blank line, body.
 */
function parsed(text: string) {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => !line.startsWith("#"));
  const blank = lines.indexOf("", start);
  const [method, url, version] = (lines[start] ?? "").split(" ");
  const headers = lines.slice(start + 1, blank);
  return {
    method,
    url,
    version,
    headers,
    body: lines
      .slice(blank + 1)
      .join("\n")
      .trimEnd(),
  };
}

describe("copy as a .http file", (test) => {
  test("given any request, the file holds its method, URL, headers and body (parsed by its specification, not run)", () => {
    let written = 0;
    for (const request of sentRequests) {
      const copied = copyAs(request, "http-file");
      if (!copied.ok) continue;
      written += 1;
      const read = parsed(copied.value);
      assert.equal([read.method, read.url], [request.method, request.origin + request.target]);
      assert.is(read.body, Buffer.from(request.body).toString());
      const host = request.origin.replace(/^https?:\/\//, "");
      const wanted = fieldsOf(request.head)
        .filter(
          ({ name, value }) =>
            !/^(?:content-length|connection)$/i.test(name) && !(/^host$/i.test(name) && value === host),
        )
        .map(({ name, value }) => `${name}: ${value}`.trimEnd());
      assert.equal(read.headers, wanted);
    }
    assert.ok(written > (IS_QUICK ? 0 : 5), `${written} written`);
  });

  test("given an ordinary request, writes the expected file", () => {
    const body = Buffer.from('{\n  "a": 1\n}');
    const head = "POST /a?b=1 HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n";
    const request = { method: "POST", origin: "https://a.test", target: "/a?b=1", protocol: "h2", head, body };
    assert.equal(copyAs({ ...request, bodySize: body.length }, "http-file"), {
      ok: true,
      value: `# @no-redirect
# @no-cookie-jar
POST https://a.test/a?b=1 HTTP/2
Content-Type: application/json

{
  "a": 1
}
`,
    });
  });

  for (const [what, body] of [
    ["the separator of requests", "a\n### b"],
    ["a file's name", "< ./secret"],
    ["a script", "> {% x %}"],
    ["a variable", "{{token}}"],
    ["a blank that editors remove", "a\n"],
    ["bytes that are no text", "\u00ff"],
  ] as const)
    test(`given ${what} in a body, is refused with a sentence`, () => {
      const bytes = what.startsWith("bytes") ? Uint8Array.of(255) : Buffer.from(body);
      const head = "POST / HTTP/1.1\r\nHost: a.test\r\n\r\n";
      const request = {
        method: "POST",
        origin: "https://a.test",
        target: "/",
        protocol: "http/1.1",
        head,
        body: bytes,
      };
      const copied = copyAs({ ...request, bodySize: bytes.length }, "http-file");
      assert.match(copied.ok ? "" : copied.problem, /^A \.http file .*\. Copy the request as cURL instead\.$/);
    });
});
