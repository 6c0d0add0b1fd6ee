import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../../src/engine/interchange/copied.ts";
import { type CopyForm, copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { hostileRequest } from "../../support/copied-request.ts";
import { describe } from "../../support/describe.ts";
import { needs } from "../../support/which.ts";
import { argumentsOf, lineAfterCmd, valueInPowerShell } from "../../support/windows-shells.ts";

const requests = fc.sample(hostileRequest, { numRuns: 300, seed: 3 });

/** What curl would send, told from its arguments by its manual. */
interface Told {
  method: string;
  origin: string;
  target: string;
  /** `name: value`, bytes as latin1. */
  headers: string[];
  body: string | null;
  protocol: string;
}

describe("copy as cURL", (test) => {
  for (const [form, program] of [
    ["curl", "sh"],
    ["curl", "bash"],
    ["curl-fish", "fish"],
  ] as const)
    test(
      `${program} gives curl exactly the request, 300 hostile ones, and does nothing else`,
      () => {
        const calls = callsOf(
          program,
          requests.map((request) => textOf(request, form)),
        );
        assert.is(calls.length, requests.length);
        for (const [index, request] of requests.entries()) {
          const { args, input } = calls[index] ?? { args: [], input: "" };
          assert.equal(toldBy(args, input), wanted(request), textOf(request, form));
        }
      },
      { skip: needs(program), limit: 120_000 },
    );

  test("cmd's rules give curl exactly the request (parsed by its rules, not run)", () => {
    let written = 0;
    for (const request of requests) {
      const copied = copyAs(request, "curl-cmd");
      if (!copied.ok) continue;
      written += 1;
      const [program, ...args] = argumentsOf(lineAfterCmd(copied.text, { PATH: "expanded" }));
      assert.is(program, "curl");
      assert.equal(toldBy(args, ""), wanted(request), copied.text);
    }
    assert.ok(written > 30, `${written} written`);
  });

  test("PowerShell's rules give curl exactly the request (parsed by its rules, not run)", () => {
    let written = 0;
    for (const request of requests) {
      const copied = copyAs(request, "curl-powershell");
      if (!copied.ok) continue;
      written += 1;
      assert.equal(toldInPowerShell(copied.text), wanted(request), copied.text);
    }
    assert.ok(written > 100, `${written} written`);
  });

  test("PowerShell is given bytes that are no text by a file, cmd not at all", () => {
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
    assert.is(toldInPowerShell(textOf(request, "curl-powershell")).body, "\0\u00ff");
    assert.equal(copyAs(request, "curl-cmd"), {
      ok: false,
      problem: "cmd cannot carry this body. Copy it for PowerShell instead.",
    });
  });

  test(
    "the real curl sends the same bytes",
    async () => {
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
        const curl = spawn("sh", ["-c", textOf(moved, "curl")], { stdio: ["ignore", "ignore", "pipe"] });
        const [received] = await Promise.all([requestTo(server, moved.body.length), once(curl, "close")]);
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
    },
    { skip: needs("sh", "curl"), limit: 120_000 },
  );

  test("an ordinary request reads as a person would write it", () => {
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

function textOf(request: CopiedRequest, form: CopyForm): string {
  const copied = copyAs(request, form);
  return copied.ok ? copied.text : (assert.unreachable(copied.problem) ?? "");
}

/** The request in the same terms, without what curl is known to write by itself. */
function wanted(request: CopiedRequest): Told {
  const host = request.origin.replace(/^https?:\/\//, "");
  const hosts = fieldsOf(request.head).filter(({ name }) => /^host$/i.test(name));
  const headers = fieldsOf(request.head)
    .filter(
      ({ name, value }) =>
        !/^content-length$/i.test(name) && !(/^host$/i.test(name) && hosts.length === 1 && value === host),
    )
    .map(({ name, value }) => `${name}: ${value}`);
  const announced = /^content-length:/im.test(request.head);
  const body = announced || request.body.length > 0 ? Buffer.from(request.body).toString("latin1") : null;
  return {
    method: request.method,
    origin: request.origin,
    target: request.target,
    headers,
    body,
    protocol: request.protocol,
  };
}

/** Strings are latin1: a character is a byte. */
function toldBy(args: readonly string[], input: string): Told {
  const told: Told = { method: "", origin: "", target: "", headers: [], body: null, protocol: "http/1.1" };
  let url = "";
  let asIs = false;
  let globs = true;
  const removed: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const value = args[at + 1] ?? "";
    switch (args[at]) {
      case "--globoff":
        globs = false;
        continue;
      case "--path-as-is":
        asIs = true;
        continue;
      case "--http1.0":
        told.protocol = "http/1.0";
        continue;
      case "--http1.1":
        continue;
      case "--head":
        told.method = "HEAD";
        continue;
      case "--request":
        told.method = value;
        break;
      case "--request-target":
        told.target = value;
        break;
      case "--url":
        url = value;
        break;
      case "--header":
        assert.not(value.startsWith("@"));
        if (/^[^:]+;$/.test(value)) told.headers.push(`${value.slice(0, -1)}: `);
        else if (/^[^:]+:$/.test(value)) removed.push(value.slice(0, -1));
        else told.headers.push(value);
        break;
      case "--data-raw":
        told.body = value;
        break;
      case "--data-binary":
        assert.is(value, "@-");
        told.body = input;
        break;
      default:
        assert.unreachable(`curl knows no ${args[at]}`);
    }
    at += 1;
  }
  const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(\/.*)$/s.exec(url) ?? [];
  if (globs) assert.not.match(url, /[[\]{}]/);
  if (!asIs) assert.not.match(path, /\/\.|%2e/i);
  told.origin = origin;
  if (told.target === "") told.target = path;
  if (told.method === "") told.method = told.body === null ? "GET" : "POST";
  // What curl would have added and the request had must not be switched off; what it had not must be.
  for (const name of ["user-agent", "accept"])
    assert.is(has(told, name) !== removed.some((other) => other.toLowerCase() === name), true);
  if (told.body !== null && !has(told, "content-type")) assert.ok(removed.includes("Content-Type"));
  return told;
}

function has(told: Told, name: string): boolean {
  return told.headers.some((line) => line.toLowerCase().startsWith(`${name}:`));
}

/** Stands between two calls in the record. */
const MARK = "7c0e1a52-weir-mark-8f3d";

/** Runs the commands in one script with a curl that writes down what it is given; the working folder must stay empty. */
function callsOf(program: string, commands: readonly string[]): { args: string[]; input: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "weir-copy-as-"));
  try {
    for (const name of ["bin", "work"]) mkdirSync(join(folder, name));
    const fake = join(folder, "bin", "curl");
    const input = 'case "$*" in *"--data-binary @-") cat ;; esac';
    const record = `{ printf '%s\\0' "$#" "$@"; ${input}; printf '%s' ${MARK}; } >> "$WEIR_CALLS"`;
    writeFileSync(fake, `#!/bin/sh\n${record}\n`);
    chmodSync(fake, 0o700);
    writeFileSync(join(folder, "script"), commands.join("\n"));
    const { stderr } = spawnSync(program, [join(folder, "script")], {
      cwd: join(folder, "work"),
      encoding: "latin1",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, WEIR_CALLS: join(folder, "calls") },
    });
    assert.is(stderr, "");
    assert.equal(readdirSync(join(folder, "work")), []);
    const calls = readFileSync(join(folder, "calls"), "latin1").split(MARK).slice(0, -1);
    return calls.map((call) => {
      const [count = "", ...parts] = call.split("\0");
      return { args: parts.slice(0, Number(count)), input: parts.slice(Number(count)).join("\0") };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The block's list as lines of curl's configuration file, and those as arguments. */
function toldInPowerShell(text: string): Told {
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
  return toldBy(args, Buffer.from(body ?? "", "base64").toString("latin1"));
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** All bytes of the one request that comes, answered and closed. */
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
