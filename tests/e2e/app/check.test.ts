import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { VERDICT_FORMATS } from "../../../src/engine/budget/verdict-texts.ts";
import { recorded } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

interface Checked {
  readonly code: number | null;
  readonly text: string;
  readonly complaint: string;
}

/** Runs `weir check` in a folder. */
async function check(folder: string, ...words: readonly string[]): Promise<Checked> {
  const child = spawn(process.execPath, [WEIR, "check", ...words], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const said = { text: "", complaint: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.text += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.complaint += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...said };
}

function har(folder: string, times: readonly number[], name = "run.har"): string {
  const entries = times.map((time, index) => ({
    startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
    time,
    request: {
      method: "GET",
      url: "https://api.test/orders",
      httpVersion: "HTTP/1.1",
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      headers: [],
      cookies: [],
      content: { size: 2, mimeType: "text/plain" },
      redirectURL: "",
      headersSize: -1,
      bodySize: 2,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }));
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", creator: { name: "t", version: "1" }, entries } }));
  return file;
}

function budget(folder: string, value: unknown): void {
  writeFileSync(join(folder, "weir.budget.json"), typeof value === "string" ? value : JSON.stringify(value));
}

describe("weir check", (test) => {
  test("given kept, broken and undecidable limits, exits with 0, 1 and 6, and with 1 if any limit is broken", () =>
    withFolder(async (folder) => {
      const file = har(folder, [10, 10, 20, 20, 30, 30, 40, 40, 100, 100]);
      const codes: (number | null)[] = [];
      for (const limits of [{ p50: 30 }, { p50: 29 }, { p50: 30, n: 11 }, { count: 4, p50: 1, n: 11 }]) {
        budget(folder, { endpoints: { "GET /orders": limits } });
        codes.push((await check(folder, file)).code);
      }
      assert.equal(codes, [0, 1, 6, 1]);
      budget(folder, { endpoints: { "GET /orders": { p95: 99 } }, findings: { no: ["retries"] } });
      const { text, complaint } = await check(folder, file);
      assert.is(complaint, "");
      assert.match(
        text,
        /: 1 broken, 1 kept, 0 .*\n {2}broken {4}GET https:\/\/api\.test\/orders: p95 100 ms, at most 99 ms \(10 requests\)\n {2}kept .*retries[^\n]*\n$/s,
      );
    }));

  test("given fewer than ten requests, ends with 6, whatever is kept; the budget sets another number", () =>
    withFolder(async (folder) => {
      const file = har(folder, [10]);
      budget(folder, { findings: { no: ["n-plus-one"] } });
      const few = await check(folder, file);
      assert.is(few.code, 6);
      assert.match(
        few.text,
        /too few +Only 1 request, at least 10 needed; did the run bypass the proxy\?\n {2}kept [^\n]*\n$/,
      );
      budget(folder, { findings: { no: ["n-plus-one"] }, requests: { min: 1 } });
      assert.is((await check(folder, file)).code, 0);
    }));

  test("given limits of page loads, judges each page; without a load, cannot tell", () =>
    withFolder(async (folder) => {
      const file = har(
        folder,
        Array.from({ length: 12 }, () => 30),
      );
      const limits = { load: { p95: 200, requests: 2, bytes: "1 KB" } };
      budget(folder, limits);
      const without = await check(folder, file);
      assert.is(without.code, 6);
      assert.match(without.text, /\*: load p95, at most 200 ms, no verdict from 0 loads \(no page load\)/);
      const { log } = JSON.parse(readFileSync(file, "utf8"));
      // Each load is a document, then two requests that name it; loads begin 10 s apart.
      for (const [index, entry] of log.entries.entries()) {
        const [load, step] = [Math.floor(index / 3), index % 3];
        entry.startedDateTime = new Date(Date.UTC(2026, 0, 1, 0, 0, load * 10, step * 100)).toISOString();
        const headers =
          step === 0
            ? [{ name: "Sec-Fetch-Dest", value: "document" }]
            : [{ name: "Referer", value: "https://api.test/" }];
        entry.request.headers = headers;
        entry.request.url = `https://api.test/${["", "a.js", "b.js"][step]}`;
        if (step === 0) entry.response.content.mimeType = "text/html";
      }
      writeFileSync(file, JSON.stringify({ log }));
      budget(folder, { load: { ...limits.load, n: 5 } });
      const judged = await check(folder, file);
      assert.equal([judged.code, judged.complaint], [1, ""]);
      assert.match(
        judged.text,
        /broken +GET https:\/\/api\.test\/: load requests 3, at most 2 \(the largest of 4 loads\)\n/,
      );
      assert.match(
        judged.text,
        /too few +GET https:\/\/api\.test\/: load p95, at most 200 ms, no verdict from 4 loads \(5 needed\)\n {2}kept [^\n]*\n$/,
      );
    }));

  test("given a budget that limits nothing, refuses it with exit code 2", () =>
    withFolder(async (folder) => {
      recorded(folder, 5);
      for (const empty of [
        {},
        { endpoints: { "GET /orders": {} } },
        { endpoints: { "*": { n: 5 } } },
        { findings: { no: [] } },
      ]) {
        budget(folder, empty);
        const { code, text, complaint } = await check(folder, "--data-dir", folder);
        assert.equal([code, text], [2, ""]);
        assert.match(complaint, /^\S+ limits nothing: [^\n]*\n$/);
      }
    }));

  test("given a recording and --out, checks it against the budget and writes each format to the file", () =>
    withFolder(async (folder) => {
      recorded(folder, 5);
      budget(folder, { endpoints: { "*": { count: 0 } }, requests: { min: 5 } });
      for (const format of VERDICT_FORMATS) {
        const out = join(folder, `verdicts.${format}`);
        const checked = await check(folder, "--data-dir", folder, "--format", format, "--out", out);
        assert.equal(checked, { code: 1, text: "", complaint: "" }, format);
      }
    }));

  test("given a baseline without a budget, fails only if an endpoint became slower than before", () =>
    withFolder(async (folder) => {
      // Spread as real latencies are; the order has no effect.
      const times = Array.from({ length: 200 }, (_, index) => 20 + ((index * 37) % 101));
      const before = har(folder, times, "before.har");
      const same = har(folder, times.toReversed(), "same.har");
      const slower = har(
        folder,
        times.map((time) => time * 1.6),
        "slower.har",
      );
      const few = har(folder, times.slice(0, 10), "few.har");
      const told: (string | undefined)[] = [];
      for (const file of [same, slower, few]) {
        const { code, text, complaint } = await check(folder, file, "--baseline", before);
        assert.is(complaint, "");
        told.push(`${code} ${text.trim().split("\n")[1] ?? ""}`.replace(/ +/g, " "));
      }
      assert.is(told[0], "0 ");
      // The median of the 200 values is about 70; the p95 is between 115 and 116.
      assert.match(
        told[1] ?? "",
        /^1 broken .*orders: slower, p50 70 ms → 112 ms, p95 115 ms → 184 ms, 200 requests before \(200 now\) \[[0-9a-f]{16}\]$/,
      );
      assert.match(
        told[2] ?? "",
        /^6 too few GET https:\/\/api\.test\/orders: regression, no verdict from 10 requests \(can't tell: n = 10,/,
      );

      recorded(folder, 5);
      const stored = await check(folder, same, "--baseline", "last", "--data-dir", folder);
      assert.match(
        `${stored.code} ${stored.complaint}`,
        /^2 The baseline \S+ is of another product: it has no host of /,
      );
      assert.match((await check(folder, same, "--baseline", "absent.har")).complaint, /^absent\.har cannot be read/);
      const { complaint } = await check(folder, same, "--baseline", "absent", "--data-dir", folder);
      assert.match(complaint, /^There is no session "absent" in /);
      const given = await check(folder, same, "--baseline", before, "--budget", "none.json");
      assert.equal(
        [given.code, given.complaint],
        [2, `There is no budget ${join(realpathSync(folder), "none.json")}.\n`],
      );
    }));

  test("given --new, only what is new or worse fails; what is known and what is gone are listed", () =>
    withFolder(async (folder) => {
      const times = Array.from({ length: 200 }, (_, index) => 20 + ((index * 37) % 101));
      const before = har(folder, times, "before.har");
      budget(folder, { endpoints: { "GET /orders": { p50: 30, errors: 0 } } });
      const same = har(folder, times.toReversed(), "same.har");
      const known = await check(folder, same, "--baseline", before, "--new");
      assert.equal([known.code, known.complaint], [0, ""]);
      assert.match(
        known.text,
        /0 broken, .*, 1 known\.\n {2}known +GET \S+orders: p50 \d+ ms, at most 30 ms \(200 requests\)\n {2}kept [^\n]*\n$/,
      );
      assert.is((await check(folder, same, "--baseline", before)).code, 1);
      const slower = har(
        folder,
        times.map((time) => time * 1.6),
        "slower.har",
      );
      const worse = await check(folder, slower, "--baseline", before, "--new");
      assert.is(worse.code, 1);
      assert.match(worse.text, /broken +GET \S+: p50 \d+ ms, at most 30 ms \(200 requests\) \(worse\)\n/);
      assert.match((await check(folder, same, "--new")).complaint, /^--new needs a --baseline/);
      assert.match(
        (await check(folder, same, "--baseline", join(folder, ".", "same.har"))).complaint,
        /is also the baseline/,
      );
    }));

  test("given a baseline of another host, refuses it, unless the host has an alias", () =>
    withFolder(async (folder) => {
      const times = Array.from({ length: 200 }, (_, index) => 20 + ((index * 37) % 101));
      const before = har(folder, times, "before.har");
      const staging = join(folder, "staging.har");
      writeFileSync(staging, readFileSync(before, "utf8").replaceAll("https://api.test", "http://127.0.0.1:4000"));
      const other = await check(folder, staging, "--baseline", before);
      assert.equal([other.code, other.text], [2, ""]);
      assert.match(
        other.complaint,
        /Its hosts: api\.test; here: 127\.0\.0\.1:4000\. If they are the same, say so with --host-alias\.\n$/,
      );
      const aliased = await check(folder, staging, "--baseline", before, "--host-alias", "127.0.0.1=api.test");
      assert.equal([aliased.code, aliased.complaint], [0, ""]);
      assert.match(aliased.text, /0 broken, 1 kept, 0 /);
    }));

  test("given a baseline that was slowed on purpose, refuses it", () =>
    withFolder(async (folder) => {
      const file = har(folder, [20, 30]);
      const log = JSON.parse(readFileSync(file, "utf8"));
      log.log.entries[1]._slowed = { request: 0, upload: 0, response: 5 };
      const slowed = join(folder, "slowed.har");
      writeFileSync(slowed, JSON.stringify(log));
      const { code, complaint } = await check(folder, file, "--baseline", slowed);
      assert.is(code, 2);
      assert.match(complaint, /slowed\.har was slowed on purpose, so it is no baseline\. Compare with one/);
    }));

  test("given no budget, prints one that works once saved, as does its help", () =>
    withFolder(async (folder) => {
      const file = har(folder, [1]);
      const sample = (await check(folder, file)).complaint.trimEnd().split("\n").at(-1) ?? "";
      const { text } = await check(folder, "--help");
      assert.is(text.trimEnd().split("\n").at(-1), sample);
      writeFileSync(join(folder, "weir.budget.json"), sample);
      const { code, complaint } = await check(folder, file);
      assert.is(complaint, "");
      assert.ok([0, 1, 6].includes(code ?? -1), `exit code ${code}`);
    }));

  test("given an unusable budget, file, format or folder, explains it and exits with a matching code", () =>
    withFolder(async (folder) => {
      const file = har(folder, [1]);
      const said = async (...words: readonly string[]) => {
        const { code, text, complaint } = await check(folder, ...words);
        assert.is(text, "");
        return `${code} ${complaint.split("\n")[0]}`;
      };
      assert.is(await said(file), `2 There is no budget ${join(realpathSync(folder), "weir.budget.json")}.`);
      budget(folder, "{");
      assert.match(await said(file), /^2 weir\.budget\.json: The file is not JSON: /);
      budget(folder, '{\n"endpoints": {\n"/orders": {"p96": 3}}}');
      assert.is(
        await said(file),
        "2 weir.budget.json: Line 3: endpoints › /orders › p96 is not a known name; known are p50, p95, p99, size, errors, count, n, findings.",
      );
      budget(folder, { findings: { no: ["retries"] } });
      assert.match(await said("absent.har"), /^2 absent\.har cannot be read/);
      assert.is(
        await said(file, "--format", "xml"),
        '2 --format takes text, md, junit, github, sarif, json, not "xml".',
      );
      assert.match(await said("--data-dir", join(folder, "absent")), /^4 There is no folder/);
      assert.match(await said(file, "--out", join(folder, "no", "such")), /^73 .*cannot be written: no such file/);
    }));

  test("given a reader that closes the output early and a kept budget, exits with 0", () =>
    withFolder(async (folder) => {
      const file = har(folder, [10, 10, 20, 20, 30, 30, 40, 40, 100, 100]);
      budget(folder, { endpoints: { "GET /orders": { p50: 30 } } });
      const child = spawn(process.execPath, [WEIR, "check", file], { cwd: folder });
      child.stdout.destroy();
      assert.is((await once(child, "close"))[0], 0);
    }));
});
