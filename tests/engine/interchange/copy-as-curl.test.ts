import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool, TOOL_PATH } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";
import { curlRequestOf, requests, textOf, wanted } from "./curl-request.ts";

describe("copy as cURL", (test) => {
  for (const [form, program] of [
    ["curl", "sh"],
    ["curl", "bash"],
    ["curl-fish", "fish"],
  ] as const)
    test(
      `given hostile requests, ${program} passes exactly each to curl and runs nothing else`,
      async () => {
        const calls = await callsOf(
          program,
          requests.map((request) => textOf(request, form)),
        );
        assert.is(calls.length, requests.length);
        for (const [index, request] of requests.entries()) {
          const { args, input } = calls[index] ?? { args: [], input: "" };
          assert.equal(curlRequestOf(args, input), wanted(request), textOf(request, form));
        }
      },
      { skip: needs(program) },
    );

  test(
    "given any request, the real curl sends the same bytes",
    () =>
      withFolder(async (folder) => {
        const some = requests
          .filter((request) => request.method !== "HEAD" && request.protocol === "http/1.1")
          .slice(0, 40);
        for (const request of some) {
          const server = createServer();
          server.listen(0, "127.0.0.1");
          await once(server, "listening");
          const address = server.address();
          const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
          const moved = {
            ...request,
            origin,
            head: request.head.replaceAll(request.origin.replace(/^https?:\/\//, ""), origin.slice(7)),
          };
          const curl = runTool(["sh", "-c", textOf(moved, "curl")], folder);
          const [received] = await Promise.all([requestTo(server, moved.body.length), curl]);
          server.close();
          const [head = "", ...rest] = received.split("\r\n\r\n");
          assert.is(head.split("\r\n")[0], `${moved.method} ${moved.target} HTTP/1.1`);
          assert.is(rest.join("\r\n\r\n"), Buffer.from(moved.body).toString("latin1"));
          const lines = (text: string) =>
            fieldsOf(text)
              .map(({ name, value }) => `${name}: ${value}`)
              .filter((line) => !/^host:/i.test(line));
          assert.equal(lines(head).toSorted(), lines(moved.head).toSorted());
        }
      }),
    { skip: needs("sh", "curl") },
  );

  test(
    "given a request that asks for a content coding, the real curl prints the decoded response",
    () =>
      withFolder(async (folder) => {
        const server = createHttpServer((_, response) => {
          response.setHeader("Content-Encoding", "gzip");
          response.end(gzipSync("decoded text"));
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const address = server.address();
        const host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
        const head = `GET / HTTP/1.1\r\nHost: ${host}\r\naccept-encoding: GZIP;q=1, br\r\n\r\n`;
        const origin = `http://${host}`;
        const request = {
          method: "GET",
          origin,
          target: "/",
          protocol: "http/1.1",
          head,
          body: new Uint8Array(),
          bodySize: 0,
        };
        const { output } = await runTool(["sh", "-c", textOf(request, "curl")], folder);
        server.close();
        assert.match(output, "decoded text");
      }),
    { skip: needs("sh", "curl") },
  );

  test("given an ordinary request, writes a readable command", () => {
    const request = {
      method: "POST",
      origin: "https://api.test",
      target: "/orders?page=2",
      protocol: "http/1.1",
      head: "POST /orders?page=2 HTTP/1.1\r\nHost: api.test\r\nUser-Agent: a b\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n",
      body: new Uint8Array(Buffer.from('{"name":"it\'s"}')),
      bodySize: 15,
    };
    assert.is(
      textOf(request, "curl"),
      [
        "curl --http1.1",
        "  --request POST",
        "  --header 'User-Agent: a b'",
        "  --header 'Accept: */*'",
        "  --header 'Content-Type: application/json'",
        "  --url 'https://api.test/orders?page=2'",
        `  --data-raw '{"name":"it'\\''s"}'`,
      ].join(" \\\n"),
    );
  });
});

/** Separates two calls in the record. */
const MARK = "7c0e1a52-weir-mark-8f3d";

/** Runs the commands in one script with a fake curl that records its arguments; the working folder must stay empty. */
async function callsOf(program: string, commands: readonly string[]): Promise<{ args: string[]; input: string }[]> {
  let record = "";
  await withFolder(async (folder) => {
    for (const name of ["bin", "work"]) mkdirSync(join(folder, name));
    const fake = join(folder, "bin", "curl");
    const input = 'case "$*" in *"--data-binary @-") cat ;; esac';
    const written = `{ printf '%s\\0' "$#" "$@"; ${input}; printf '%s' ${MARK}; } >> "$WEIR_CALLS"`;
    writeFileSync(fake, `#!/bin/sh\n${written}\n`);
    chmodSync(fake, 0o700);
    writeFileSync(join(folder, "script"), `cd work\n${commands.join("\n")}`);
    const env = { PATH: `${join(folder, "bin")}:${TOOL_PATH}`, WEIR_CALLS: join(folder, "calls") };
    const { output } = await runTool([program, "script"], folder, { env });
    assert.is(output, "");
    assert.equal(readdirSync(join(folder, "work")), []);
    record = readFileSync(join(folder, "calls"), "latin1");
  });
  return record
    .split(MARK)
    .slice(0, -1)
    .map((call) => {
      const [count = "", ...parts] = call.split("\0");
      return { args: parts.slice(0, Number(count)), input: parts.slice(Number(count)).join("\0") };
    });
}

/** All bytes of the one request that arrives; its connection is then closed. */
async function requestTo(server: ReturnType<typeof createServer>, bodySize: number): Promise<string> {
  const [socket] = await once(server, "connection");
  let text = "";
  for await (const chunk of socket) {
    text += chunk.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0 && text.length >= end + 4 + bodySize) break;
  }
  return text;
}
