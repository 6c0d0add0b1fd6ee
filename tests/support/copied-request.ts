import * as fc from "fast-check";
import type { CopiedRequest } from "../../src/engine/interchange/copied-request.ts";
import { hostileText } from "./hostile.ts";

const TOKEN = "!#$%&'*+-.^_`|~0aZ";

/** Arbitrary header values as sent: UTF-8 or raw bytes, without line ends and without spaces at the ends. */
const headerValue = fc
  .oneof(
    hostileText.map((text) => Buffer.from(text).toString("latin1")),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  )
  .map((text) => text.replaceAll(/[\0\r\n]/g, "").replace(/^[ \t]+|[ \t]+$/g, ""));

const token = fc.string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 6 });
const headerName = fc
  .oneof(
    fc.constantFrom(
      "Content-Type",
      "Accept",
      "User-Agent",
      "Host",
      "X-A",
      "x-a",
      "Accept-Encoding",
      "Referer",
      "Cookie",
    ),
    token,
  )
  .filter((name) => !/^(?:content-length|transfer-encoding)$/i.test(name));

const target = fc.oneof(
  fc.constantFrom(
    "*",
    "/",
    "/a/../b/./c",
    "/%2e%2e/x",
    "/[1-9]{a,b}?x[]=1",
    "/?q='\"$(x)`y`",
    "?no-path",
    "/a#b",
    "/\\",
    "/-o",
    "//x",
  ),
  hostileText.map(
    (text) =>
      `/${Buffer.from(text)
        .toString("latin1")
        .replaceAll(/[\0- \u007f]/g, "")}`,
  ),
);

const body = fc.oneof(
  fc.constant(new Uint8Array()),
  hostileText.map((text) => new Uint8Array(Buffer.from(text))),
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(new Uint8Array(Buffer.from("-n %d \\0 '".repeat(200)))),
);

/** Requests that try to break out of a command line. */
export const hostileRequest: fc.Arbitrary<CopiedRequest> = fc
  .record({
    method: fc.oneof(
      fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "-X", "@m", "patch").filter((method) => method !== "@m"),
      token,
    ),
    origin: fc.constantFrom("http://api.test", "https://api.test:8443", "http://[::1]:81"),
    target,
    protocol: fc.constantFrom("http/1.1", "http/1.0"),
    headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
    hasHost: fc.boolean(),
    body,
  })
  .map(({ headers, hasHost, ...request }) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    if (hasHost) lines.unshift(`Host: ${request.origin.replace(/^https?:\/\//, "")}`);
    if (request.body.length > 0) lines.push(`Content-Length: ${request.body.length}`);
    const head = `${[`${request.method} ${request.target} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`;
    return { ...request, head, bodySize: request.body.length };
  })
  .filter(({ method }) => method !== "CONNECT");
