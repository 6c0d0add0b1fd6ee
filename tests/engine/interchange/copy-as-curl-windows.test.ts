import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { describe } from "../../support/describe.ts";
import { IS_QUICK } from "../../support/rounds.ts";
import { argumentsOf, lineAfterCmd, valueInPowerShell } from "../../support/windows-shells.ts";
import { type CurlRequest, curlRequestOf, requests, textOf, wanted } from "./curl-request.ts";

describe("copy as cURL for Windows", (test) => {
  test("given any request, cmd's rules pass exactly it to curl (parsed by its rules, not run)", () => {
    let written = 0;
    for (const request of requests) {
      const copied = copyAs(request, "curl-cmd");
      if (!copied.ok) continue;
      written += 1;
      const [program, ...args] = argumentsOf(lineAfterCmd(copied.value, { PATH: "expanded" }));
      assert.is(program, "curl");
      assert.equal(curlRequestOf(args, ""), wanted(request), copied.value);
    }
    assert.ok(written > (IS_QUICK ? 0 : 30), `${written} written`);
  });

  test("given any request, PowerShell's rules pass exactly it to curl (parsed by its rules, not run)", () => {
    let written = 0;
    for (const request of requests) {
      const copied = copyAs(request, "curl-powershell");
      if (!copied.ok) continue;
      written += 1;
      assert.equal(curlRequestInPowerShell(copied.value), wanted(request), copied.value);
    }
    assert.ok(written > (IS_QUICK ? 0 : 100), `${written} written`);
  });

  test("given a binary body, copies it for PowerShell and refuses it for cmd", () => {
    const head =
      "POST / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: x\r\nAccept: */*\r\nContent-Type: image/png\r\nContent-Length: 2\r\n\r\n";
    const body = Uint8Array.of(0, 255);
    const request = {
      method: "POST",
      origin: "https://a.test",
      target: "/",
      protocol: "http/1.1",
      head,
      body,
      bodySize: 2,
    };
    assert.is(curlRequestInPowerShell(textOf(request, "curl-powershell")).body, "\0\u00ff");
    assert.equal(copyAs(request, "curl-cmd"), {
      ok: false,
      problem: "cmd cannot contain this body. Copy the request for PowerShell instead.",
    });
  });
});

/** Parses the block's list as lines of curl's configuration file, and returns those as arguments. */
function curlRequestInPowerShell(text: string): CurlRequest {
  const list = /@\(\n(.*)\n\) \| curl\.exe --config -( --data-binary "@\$body")?\n/s.exec(text);
  const args: string[] = [];
  for (const line of (list?.[1] ?? "").split(/\n(?= {2}[('])/)) {
    const [, name = "", value] = /^([a-z0-9.-]+)(?: = "(.*)")?$/s.exec(valueInPowerShell(line.trim())) ?? [];
    args.push(`--${name}`);
    if (value === undefined) continue;
    assert.not.match(value, /(?<!\\)(?:\\\\)*"/);
    const escapes: Record<string, string> = { t: "\t", n: "\n", r: "\r", v: "\v" };
    args.push(latin1(value.replaceAll(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)));
  }
  const body = /FromBase64String\('([^']*)'\)/.exec(text)?.[1];
  if (list?.[2] !== undefined) args.push("--data-binary", "@-");
  return curlRequestOf(args, Buffer.from(body ?? "", "base64").toString("latin1"));
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
