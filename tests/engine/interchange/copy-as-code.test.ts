import { once } from "node:events";
import { createServer } from "node:http";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../../src/engine/interchange/copied.ts";
import { type CopyForm, copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { hostileRequest } from "../../support/copied-request.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** Requests in hostile headers and bodies, with methods and targets that a test server understands. */
const requests = fc.sample(
  fc
    .record({
      request: hostileRequest,
      method: fc.constantFrom(...METHODS),
      target: fc.constantFrom("/", "/a-b_c~d?x=1&y=%20", "/orders/17?q=a+b", "/a,b;c:@/(d)!*?$=1"),
    })
    .map(({ request, method, target }) => ({ ...request, method, target })),
  { numRuns: 120, seed: 4 },
);

/** A request as a server received it; text is latin1. */
interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
}

describe("copy as code", (test) => {
  test("fetch sends the request's method, URL, headers and body", async () => {
    await sendsAll("fetch", async (text) => void (await new AsyncFunction(text)()));
  });

  test(
    "Python sends the request's method, URL, headers and body",
    async () => {
      const texts: string[] = [];
      await sendsAll(
        "python",
        async (text) => void texts.push(text),
        async () => {
          await withFolder(async (folder) => {
            const { code, output } = await runTool(["python3", "-"], folder, {
              input: texts.join("\n"),
              limit: 100_000,
            });
            assert.is(code, 0, output);
          });
        },
      );
    },
    { skip: needs("python3"), limit: 120_000 },
  );

  test("what a library would spell otherwise is refused", () => {
    const request = requests[0] ?? assert.unreachable();
    const plain = {
      ...(request as CopiedRequest),
      method: "GET",
      body: new Uint8Array(),
      bodySize: 0,
      head: "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    for (const target of ["*", "/a/../b", "/%2e/", "/'", "/#", "/a?", "?x", "/\u00e9"])
      for (const form of ["fetch", "python"] as const)
        assert.not(copyAs({ ...plain, target }, form).ok, `${form} ${target}`);
    for (const target of ["//a", "/%7e", "/%41", "/%c3"]) assert.not(copyAs({ ...plain, target }, "python").ok, target);
  });

  test("a request that is not whole, or none, is refused in every form with a sentence", () => {
    const request = {
      method: "PUT",
      origin: "https://a.test",
      target: "/",
      protocol: "http/1.1",
      head: "PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n",
      body: new Uint8Array(4),
      bodySize: 9,
    };
    const problem = (change: Partial<CopiedRequest>) => {
      const copied = copyAs({ ...request, body: new Uint8Array(9), ...change }, "curl");
      return copied.ok ? "" : copied.problem;
    };
    assert.is(problem({}), "");
    assert.match(problem({ body: new Uint8Array(4) }), /^Only 4 of this body's 9 bytes were kept/);
    assert.match(problem({ method: "CONNECT", target: "a.test:443" }), /no request/);
    assert.match(problem({ origin: "https://a.test/x y" }), /no request/);
    assert.match(problem({ target: "/ --output x" }), /spaces/);
    assert.match(problem({ head: "PUT / HTTP/1.1\r\n@file: x\r\n\r\n" }), /malformed/);
    assert.match(problem({ body: new Uint8Array(400_000), bodySize: 400_000 }), /too long/);
  });

  test("Python is given a host only where it is another than the URL's", () => {
    const request = { method: "GET", origin: "https://a.test:81", target: "/", protocol: "http/1.1", bodySize: 0 };
    const textWith = (host: string) => {
      const head = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const copied = copyAs({ ...request, head, body: new Uint8Array() }, "python");
      assert.ok(copied.ok);
      return copied.ok ? copied.text : "";
    };
    assert.not.match(textWith("a.test:81"), /"Host"/);
    assert.match(textWith("b.test"), /"Host": "b\.test"/);
  });

  test("what was meant for the proxy is not copied to the server", () => {
    const head =
      "GET / HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nAuthorization: Bearer y\r\n\r\n";
    const request = {
      method: "GET",
      origin: "https://a.test",
      target: "/",
      protocol: "http/1.1",
      head,
      body: new Uint8Array(),
      bodySize: 0,
    };
    const copied = copyAs(request, "curl");
    assert.ok(copied.ok && !/proxy/i.test(copied.text) && copied.text.includes("Bearer y"));
  });
});

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Sends every request that can be written, and compares what the server received. */
async function sendsAll(form: CopyForm, send: (text: string) => Promise<void>, finish = async () => {}): Promise<void> {
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
    for (const request of requests) {
      const head = request.head.replace(/^host: .*\r\n/im, "").replace("\r\n", `\r\nHost: ${host}\r\n`);
      const copied = copyAs({ ...request, origin: `http://${host}`, head }, form);
      if (!copied.ok) continue;
      sent.push({ ...request, head });
      await send(copied.text);
    }
    await finish();
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.ok(sent.length > 30, `${sent.length} sent`);
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

/** Headers that a library adds and cannot be told to omit. */
const OWN_HEADERS: Partial<Record<CopyForm, RegExp>> = {
  fetch: /^(?:accept|accept-encoding|accept-language|connection|content-length|sec-fetch-mode|user-agent)$/,
  python: /^content-length$/,
};

/** fetch joins headers of one name (RFC 9110, 5.3 makes that the same). */
function isJoined(line: string, headers: readonly string[]): boolean {
  const [name = ""] = line.split(":");
  return headers.some((header) => header.startsWith(`${name}: `) && header.includes(line.slice(name.length + 2)));
}
