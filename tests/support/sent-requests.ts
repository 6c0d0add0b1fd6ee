import { once } from "node:events";
import { createServer } from "node:http";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../src/engine/interchange/copied-request.ts";
import { type CopyForm, copyAs } from "../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../src/engine/model/head.ts";
import { hostileRequest } from "./copied-request.ts";
import { rounds } from "./rounds.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** Requests with hostile headers and bodies, whose methods and targets a test server understands. */
export const sentRequests = fc.sample(
  fc
    .record({
      request: hostileRequest,
      method: fc.constantFrom(...METHODS),
      target: fc.constantFrom("/", "/a-b_c~d?x=1&y=%20", "/orders/17?q=a+b", "/a,b;c:@/(d)!*?$=1"),
    })
    .map(({ request, method, target }) => ({ ...request, method, target })),
  { numRuns: rounds(120), seed: 4 },
);

/** A request as a server received it; text is latin1. */
interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * Sends each request that can be written, at most `most`, and compares what the server received, in order. Either
 * `send` sends each at once, or `finish` sends all.
 */
export async function sendsAll(
  form: CopyForm,
  send: (text: string) => Promise<void>,
  finish = async () => {},
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = request.rawHeaders;
      const headers = raw.flatMap((name, index) =>
        index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : [],
      );
      seen.push({
        method: request.method ?? "",
        target: request.url ?? "",
        headers,
        body: Buffer.concat(chunks).toString("latin1"),
      });
      response.writeHead(204, { connection: "close" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const sent: CopiedRequest[] = [];
  try {
    for (const request of sentRequests) {
      if (sent.length === most) break;
      const head = request.head.replace(/^host: .*\r\n/im, "").replace("\r\n", `\r\nHost: ${host}\r\n`);
      const copied = copyAs({ ...request, origin: `http://${host}`, head }, form);
      if (!copied.ok) continue;
      sent.push({ ...request, head });
      await send(copied.value);
    }
    await finish();
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.ok(sent.length >= Math.min(most, 30), `${sent.length} sent`);
  assert.is(seen.length, sent.length);
  for (const [index, request] of sent.entries()) {
    const got = seen[index] ?? assert.unreachable();
    assert.equal([got?.method, got?.target], [request.method, request.target]);
    assert.is(got?.body, Buffer.from(request.body).toString("latin1"));
    const headers = fieldsOf(request.head)
      .filter(({ name }) => !/^(?:host|content-length|connection|transfer-encoding)$/i.test(name))
      .map(({ name, value }) => `${name.toLowerCase()}: ${value}`);
    for (const line of headers) assert.ok(got?.headers.includes(line) || isJoined(line, got?.headers ?? []), line);
    const asked = new Set(fieldsOf(request.head).map(({ name }) => name.toLowerCase()));
    for (const [name = ""] of (got?.headers ?? []).map((line) => line.split(":")))
      assert.ok(asked.has(name) || OWN_HEADERS[form]?.test(name), `${name}, which the request did not have`);
  }
}

/** Headers that a library adds and that cannot be switched off. */
const OWN_HEADERS: Partial<Record<CopyForm, RegExp>> = {
  fetch: /^(?:accept|accept-encoding|accept-language|connection|content-length|sec-fetch-mode|user-agent)$/,
  python: /^content-length$/,
  httpie: /^(?:accept-encoding|content-length|user-agent)$/,
  go: /^(?:connection|content-length)$/,
  java: /^(?:content-length|user-agent)$/,
};

/** fetch joins headers of the same name, which RFC 9110, 5.3 treats as equal. */
function isJoined(line: string, headers: readonly string[]): boolean {
  const [name = ""] = line.split(":");
  return headers.some((header) => header.startsWith(`${name}: `) && header.includes(line.slice(name.length + 2)));
}
