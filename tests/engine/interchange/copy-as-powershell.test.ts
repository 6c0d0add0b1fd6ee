import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";
import { IS_QUICK } from "../../support/rounds.ts";
import { sentRequests } from "../../support/sent-requests.ts";
import { valueInPowerShell } from "../../support/windows-shells.ts";

const HEADER = /^ {4}('.*?'|\(.*?\)) = ('.*'|\(.*\))$/;

describe("copy as PowerShell", (test) => {
  test("given any request, the command holds its method, URL, headers and body (parsed by its rules, not run)", () => {
    let written = 0;
    for (const request of sentRequests) {
      const copied = copyAs(request, "powershell");
      if (!copied.ok) continue;
      written += 1;
      const given = (name: string) =>
        valueInPowerShell(new RegExp(`^  ${name} = (.*)$`, "m").exec(copied.value)?.[1] ?? "");
      assert.equal([given("CustomMethod"), given("Uri")], [request.method, request.origin + request.target]);
      const body = /FromBase64String\('(.*)'\)/.exec(copied.value)?.[1] ?? "";
      assert.equal(Buffer.from(body, "base64"), Buffer.from(request.body));
      const headers = copied.value.split("\n").flatMap((line) => {
        const [, name, value] = HEADER.exec(line) ?? [];
        return name === undefined ? [] : [`${valueInPowerShell(name)}: ${valueInPowerShell(value ?? "")}`];
      });
      const host = request.origin.replace(/^https?:\/\//, "");
      const wanted = fieldsOf(request.head)
        .filter(({ name, value }) => !/^content-length$/i.test(name) && !(/^host$/i.test(name) && value === host))
        .map(({ name, value }) => `${name}: ${value}`);
      assert.equal(headers, wanted);
    }
    assert.ok(written > (IS_QUICK ? 0 : 10), `${written} written`);
  });

  test("given an ordinary request, writes the expected command", () => {
    const body = Buffer.from("{}");
    const head = "PUT /a HTTP/1.1\r\nHost: a.test\r\nX-Note: it's\r\nContent-Length: 2\r\n\r\n";
    const request = { method: "PUT", origin: "https://a.test", target: "/a", protocol: "http/1.1", head, body };
    assert.equal(copyAs({ ...request, bodySize: 2 }, "powershell"), {
      ok: true,
      value: `$request = @{
  Uri = 'https://a.test/a'
  CustomMethod = 'PUT'
  Headers = @{
    'X-Note' = 'it''s'
  }
  Body = [Convert]::FromBase64String('e30=')
  MaximumRedirection = 0
  SkipHeaderValidation = $true
  SkipHttpErrorCheck = $true
}
Invoke-WebRequest @request`,
    });
  });

  test("given what .NET changes, is refused with a sentence", () => {
    const problem = (method: string, target: string, line: string, body: Uint8Array = new Uint8Array()) => {
      const head = `${method} / HTTP/1.1\r\n${line}\r\n\r\n`;
      const request = { method, origin: "https://a.test", target, protocol: "http/1.1", head, body };
      const copied = copyAs({ ...request, bodySize: body.length }, "powershell");
      return copied.ok ? "" : copied.problem;
    };
    assert.is(problem("GET", "/", "X: 1"), "");
    assert.match(problem("GET", "/%7e", "X: 1"), /^PowerShell would change this URL\./);
    assert.match(problem("GET", "/", "X: 1", Uint8Array.of(1)), /^PowerShell cannot send a body with GET\./);
    assert.match(problem("get", "/", "X: 1"), /^PowerShell may send the method get in upper case\./);
    assert.match(problem("GET", "/", "X: 1\r\nx: 2"), /^PowerShell cannot send a header twice\./);
    assert.match(problem("GET", "/", "X: \u00e9"), /^PowerShell cannot send headers with characters outside ASCII\./);
  });
});
