import * as assert from "uvu/assert";
import { relocatedHead } from "../../../../../extensions/proxy/data-thread/network/http1/relocated-head.ts";
import { originOf } from "../../../../../extensions/proxy/data-thread/network/origin.ts";
import { describe } from "../../../../support/describe.ts";

const ORIGIN = originOf("https", { host: "api.example.com", port: null });
const BASE = "http://localhost:9001";

const after = (line: string): string => {
  const head = relocatedHead(`HTTP/1.1 302 Found\r\nA: b\r\n${line}\r\nZ: y\r\n\r\n`, { origin: ORIGIN, base: BASE });
  assert.ok(head.startsWith("HTTP/1.1 302 Found\r\nA: b\r\n") && head.endsWith("\r\nZ: y\r\n\r\n"), head);
  return head.slice("HTTP/1.1 302 Found\r\nA: b\r\n".length, -"\r\nZ: y\r\n\r\n".length);
};

/** docs/specification.md, Reverse ports. */
const CHANGED: readonly (readonly [line: string, expected: string])[] = [
  ["Location: https://api.example.com/x?y#z", "Location: http://localhost:9001/x?y#z"],
  ["location:https://API.example.com:443", "location:http://localhost:9001"],
  ["LOCATION: HTTPS://api.example.com?x", "LOCATION: http://localhost:9001?x"],
  ["Set-Cookie: a=b; Domain=example.com; Path=/; Secure; HttpOnly", "Set-Cookie: a=b; Path=/; HttpOnly"],
  ["set-cookie: a=b;domain=.api.example.com;secure", "set-cookie: a=b"],
  ["Set-Cookie: a=b; SameSite=None; Secure; Domain=api.example.com", "Set-Cookie: a=b; SameSite=None; Secure"],
  ["Set-Cookie: a=b; Secure; Partitioned", "Set-Cookie: a=b; Secure; Partitioned"],
  ["Set-Cookie: __Host-a=b; Path=/; Secure", "Set-Cookie: __Host-a=b; Path=/; Secure"],
  ["Set-Cookie: __Secure-a=b; Secure; Domain=example.com", "Set-Cookie: __Secure-a=b; Secure"],
];

const UNCHANGED: readonly string[] = [
  "Location: /x",
  "Location: //api.example.com/x",
  "Location: http://api.example.com/x",
  "Location: https://api.example.com:8443/x",
  "Location: https://api.example.com.evil.test/x",
  "Location: https://api.example.com@evil.test/x",
  "Location: https://other.example.com/x",
  "Location: https://api.example.com\\@evil.test/",
  "Location: ",
  "Set-Cookie: a=b; Path=/; HttpOnly; SameSite=Lax",
  "Set-Cookie: a=secure; Domain=other.test",
  "Set-Cookie: a=b; Domain=ple.com",
  "Set-Cookie: secure",
  "Content-Location: https://api.example.com/x",
  "X-Location: https://api.example.com/x",
  "Refresh: 0; url=https://api.example.com/x",
];

describe("relocated response head of a reverse port", (test) => {
  for (const [line, expected] of CHANGED)
    test(`given ${line}, has ${expected}`, () => assert.is(after(line), expected));

  for (const line of UNCHANGED) test(`given ${line}, leaves it`, () => assert.is(after(line), line));

  test("given several cookies, changes each, and no status line", () => {
    const head =
      "HTTP/1.1 200 Location: https://api.example.com\r\nSet-Cookie: a=b; Secure\r\nSet-Cookie: c=d; Secure\r\n\r\n";
    const expected = "HTTP/1.1 200 Location: https://api.example.com\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n\r\n";
    assert.is(relocatedHead(head, { origin: ORIGIN, base: BASE }), expected);
  });
});
