import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { recorded } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly text: string;
  readonly complaint: string;
}

/** Runs `npm run report` or `npm run export`; temporary folders are created in `folder`. */
async function run(
  script: "report" | "export",
  folder: string,
  words: readonly string[],
  readerLeaves = false,
): Promise<Ended> {
  const child = spawn(process.execPath, [WEIR, script, ...words], {
    env: { ...process.env, TMPDIR: folder },
  });
  let [text, complaint] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  if (readerLeaves) child.stdout.destroy();
  else
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text, complaint };
}

/** A service that always fails, called 30 times by one client; the last call is a followed redirect. */
function failing(): string {
  const entry = (index: number, url: string, status: number, headers: readonly object[] = []) => ({
    startedDateTime: new Date(Date.UTC(2026, 2, 3, 10, 0, index * 4)).toISOString(),
    time: 120,
    request: { method: "GET", url, httpVersion: "HTTP/1.1", headers: [{ name: "User-Agent", value: "app/1" }] },
    response: { status, httpVersion: "HTTP/1.1", headers, content: { size: 0, mimeType: "text/plain" }, bodySize: 0 },
    timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 1, wait: 115, receive: 4 },
  });
  const calls = Array.from({ length: 30 }, (_, index) =>
    entry(index, `https://api.test/prices?token=s3cr3t${index}`, 500),
  );
  const hop = entry(40, "https://api.test/old", 302, [{ name: "Location", value: "/new?token=s3cr3t" }]);
  const cached = { ...entry(42, "https://api.test/new", 200), _fromCache: "memory" };
  const entries = [...calls, null, hop, entry(41, "https://api.test/new?token=s3cr3t", 200), cached];
  return JSON.stringify({ log: { version: "1.2", entries } });
}

const withHar = (body: (folder: string, file: string) => unknown) =>
  withFolder(async (folder) => {
    const file = join(folder, "a.har");
    writeFileSync(file, failing());
    await body(folder, file);
    assert.equal(
      readdirSync(folder).filter((name) => name.startsWith("weir-har-")),
      [],
      "nothing is left behind",
    );
  });

describe("npm run report", (test) => {
  test("given a HAR file, prints one JSON object and nothing else", () =>
    withHar(async (folder, file) => {
      const { code, text, complaint } = await run("report", folder, [file, "--format", "json"]);
      const report = JSON.parse(text);
      assert.is(code, 0);
      assert.equal([report.schema, report.source, report.exchanges, report.clients], [1, file, 32, 1]);
      assert.equal([report.leftOutCount, report.leftOut[0].entry, report.uncounted], [1, 31, 1]);
      const found = report.findings.find(({ kind }: { kind: string }) => kind === "errors");
      assert.equal([found?.endpoint.path, found?.count], ["/prices", 30]);
      assert.match(found?.fingerprint, /^[0-9a-f]{16}$/);
      assert.not.match(text, "s3cr3t");
      assert.match(complaint, /1 of its entries could not be read\. Entry 31: /);
    }));

  test("given entries that cannot be read, names ten with their reasons, and counts the others", () =>
    withHar(async (folder, file) => {
      const { log } = JSON.parse(failing());
      writeFileSync(file, JSON.stringify({ log: { entries: [...log.entries.slice(0, 5), ...Array(12).fill(null)] } }));
      const { code, complaint } = await run("report", folder, [file, "--format", "json"]);
      assert.is(code, 0);
      const named = Array.from({ length: 10 }, (_, index) => `Entry ${index + 6}: it is not an object: null.`);
      assert.ok(complaint.includes(`12 of its entries could not be read. ${named.join(" ")} And 2 more.\n`), complaint);
    }));

  test("given several files, prints a list, and reports the good ones beside a bad one", () =>
    withHar(async (folder, file) => {
      const bad = join(folder, "bad.har");
      writeFileSync(bad, "hello");
      const { code, text, complaint } = await run("report", folder, [file, bad, file, "--format", "json"]);
      assert.equal(
        JSON.parse(text).map(({ source }: { source: string }) => source),
        [file, file],
      );
      assert.is(code, 2);
      assert.match(complaint, /bad\.har cannot be read: This is not a HAR file/);
    }));

  test("given a HAR file, writes text by default, Markdown if asked for, and to a file with --out", () =>
    withHar(async (folder, file) => {
      const { text } = await run("report", folder, [file]);
      assert.match(text, /^\S+a\.har: 32 requests to 3 endpoints by 1 client in /);
      assert.match(text, /^.*\n\d+ % of \d\.\d s: the server of GET \/prices \([\d.]+ m?s in 30 requests\)/);
      assert.match(text, /\n1\. .*Errors/);
      const out = join(folder, "out.md");
      const written = await run("report", folder, [file, "--format", "md", "--out", out]);
      assert.equal([written.code, written.text], [0, ""]);
      assert.match(readFileSync(out, "utf8"), /^# Findings: /);
      const unwritten = await run("report", folder, [file, "--out", "/none/such"]);
      assert.is(unwritten.code, 73);
      assert.match(unwritten.complaint, /\/none\/such cannot be written: /);
    }));

  test("given another time for an endpoint, tells what is saved; given a change that is none, says what to give", () =>
    withHar(async (folder, file) => {
      const entries = [0, 1, 2].flatMap((turn) =>
        [0, 130].map((after, index) => ({
          startedDateTime: new Date(Date.UTC(2026, 2, 3, 10, turn, 0, after)).toISOString(),
          time: 120,
          request: { method: "GET", url: `https://api.test/${"ab"[index]}`, httpVersion: "HTTP/1.1", headers: [] },
          response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 0 }, bodySize: 0 },
          timings: { send: 0, wait: 120, receive: 0 },
        })),
      );
      writeFileSync(file, JSON.stringify({ log: { version: "1.2", entries } }));
      const words = ["--what-if", "GET /a=20", "--what-if", "GET https://api.test/b=70", "--format", "json"];
      const { whatIf } = JSON.parse((await run("report", folder, [file, ...words])).text);
      assert.equal([whatIf.loads, whatIf.walks.units, whatIf.walks.median], [null, 3, { byLinks: 50, atMost: 150 }]);
      const { text } = await run("report", folder, [file, "--what-if", "GET /a=20"]);
      assert.match(text, "What if GET /a took 20 ms\n   3 walks together would end at most 300 ms sooner (of 750 ms)");
      for (const [bad, said] of [
        ["GET /a", 'takes an endpoint and a time in ms, such as "GET /v1/prices=50", not "GET /a".'],
        ["GET /c=5", 'a.har has no request to "GET /c" (--what-if).'],
        ["GET /a=-5", "takes an endpoint and a time in ms"],
      ] as const) {
        const refused = await run("report", folder, [file, "--what-if", bad]);
        assert.equal([refused.code, refused.text], [2, ""]);
        assert.ok(refused.complaint.includes(said), refused.complaint);
      }
    }));

  test("given a recording, reports the newest, or the one that is named", () =>
    withFolder(async (folder) => {
      recorded(folder, 40);
      const { code, text } = await run("report", folder, ["--data-dir", folder, "--format", "json"]);
      assert.equal([code, JSON.parse(text).exchanges], [0, 40]);
      const named = await run("report", folder, ["--data-dir", folder, "--session", "nope"]);
      assert.is(named.code, 4);
      assert.match(named.complaint, /^There is no session "nope" in /);
    }));

  test("given nothing that stands out, says so", () =>
    withFolder(async (folder) => {
      recorded(folder, 40);
      const { text } = await run("report", folder, ["--data-dir", folder]);
      assert.match(text, /Nothing stands out\. Checked 40 requests for: /);
    }));

  test("given a reader that closes the output early, exits with 0", () =>
    withHar(async (folder, file) => {
      const { code, complaint } = await run("report", folder, [file, file, file, "--format", "json"], true);
      assert.is(code, 0);
      assert.not.match(complaint, /failed/);
    }));

  for (const [what, words, said, code] of [
    [
      "a file that is not there",
      ["none.har"],
      /^none\.har cannot be read: no such file or directory \(ENOENT\)\.\n$/,
      2,
    ],
    ["an unknown form", ["--format", "xml"], /^--format takes text, json, md, html, not "xml"\./, 2],
    ["an unknown option", ["--nope"], /^weir report has no option --nope\./, 2],
    ["a file and a session", ["a.har", "--session", "last"], /^Give HAR files, or a recording/, 2],
    ["a folder without sessions", ["--data-dir", "/none/such"], /^There is no folder \/none\/such\./, 4],
  ] as const) {
    test(`given ${what}, says what is wrong`, () =>
      withFolder(async (folder) => {
        const { code: ended, complaint, text } = await run("report", folder, words);
        assert.match(complaint, said);
        assert.equal([ended, text], [code, ""]);
      }));
  }

  test("given SIGTERM while a HAR file is read, removes the folder that was unpacked from it", () =>
    withFolder(async (folder) => {
      const file = join(folder, "long.har");
      const { log } = JSON.parse(failing());
      // Reading it takes seconds, and the signal is sent as soon as it has started.
      const entries = Array.from({ length: 1_500 }, () => log.entries).flat();
      writeFileSync(file, JSON.stringify({ log: { ...log, entries } }));
      const child = spawn(process.execPath, [WEIR, "report", file], {
        env: { ...process.env, TMPDIR: folder },
        stdio: "ignore",
      });
      const closed = once(child, "close") as Promise<[number | null]>;
      const isThere = () => readdirSync(folder).some((name) => name.startsWith("weir-har-"));
      while (!isThere() && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGTERM");
      const [code] = await closed;
      assert.is(code, 143);
      assert.not.ok(isThere());
    }));
});

describe("npm run export of a HAR file", (test) => {
  test("given --table links, exports entry numbers, and the proving values only with --no-redact", () =>
    withHar(async (folder, file) => {
      const { code, text } = await run("export", folder, [file, "--table", "links", "--format", "json"]);
      const rows = JSON.parse(text);
      assert.is(code, 0);
      assert.equal(
        rows
          .filter(({ kind }: { kind: string }) => kind === "proven")
          .map(({ from, to, basis }: { from: number; to: number; basis: string }) => [from, to, basis]),
        [[32, 33, "protocol"]],
      );
      assert.not.match(text, "s3cr3t");
      const open = await run("export", folder, [file, "--table", "links", "--format", "json", "--no-redact"]);
      assert.match(open.text, "s3cr3t");
    }));

  test("given HAR files, exports exchanges and tables as from a recording, and several files as one list", () =>
    withHar(async (folder, file) => {
      const exchanges = await run("export", folder, [file, "--format", "json"]);
      assert.is(JSON.parse(exchanges.text).length, 33);
      const list = await run("export", folder, [file, file, "--table", "latency", "--format", "json"]);
      const [one, other] = JSON.parse(list.text);
      assert.equal(one, other);
      assert.equal([one.source, one.rows[0].path], [file, "/prices"]);
      const refused = await run("export", folder, [file, file, "--format", "csv"]);
      assert.equal([refused.code, refused.text], [2, ""]);
    }));
});
