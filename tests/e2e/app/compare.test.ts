import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { SCHEMAS } from "../../../scripts/schemas.ts";
import { recorded } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { schemaProblems } from "../../support/json-schema.ts";
import { lognormal, seeded } from "../../support/seeded.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

function compare(folder: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WEIR, "compare", ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

type Call = readonly [url: string, median: number, count: number, status: number];

/** A HAR file with drawn latencies, one request a second. */
function har(folder: string, name: string, calls: readonly Call[], seed: number): string {
  const random = seeded(seed);
  const all = calls.flatMap(([url, median, count, status]) => new Array<Call>(count).fill([url, median, 1, status]));
  const entries = all.map(([url, median, , status], index) => {
    const time = lognormal(random, median, 0.25);
    return {
      startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
      time,
      request: { method: "GET", url, httpVersion: "HTTP/1.1", headers: [{ name: "User-Agent", value: "app/1" }] },
      response: {
        status,
        httpVersion: "HTTP/1.1",
        headers: [],
        content: { size: 2, mimeType: "text/plain" },
        bodySize: 2,
      },
      timings: { send: 0, wait: time, receive: 0 },
    };
  });
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", creator: { name: "t", version: "1" }, entries } }));
  return file;
}

describe("weir compare", (test) => {
  test("given two files of one name, tells what became slower and which finding is new, in each format, twice the same", () =>
    withFolder((folder) => {
      for (const name of ["main", "branch"]) mkdirSync(join(folder, name));
      const [orders, prices] = ["https://api.test/orders?token=s3cr3t", "https://api.test/prices"];
      har(folder, "main/run.har", [[orders, 100, 60, 200], [prices, 50, 60, 200]], 1); // biome-ignore format: a table
      har(folder, "branch/run.har", [[orders, 150, 60, 200], [prices, 50, 30, 200], [prices, 50, 30, 500]], 2); // biome-ignore format: a table
      const words = ["main/run.har", "branch/run.har"];
      const { status, stdout, stderr } = compare(folder, ...words);
      assert.equal([status, stderr], [0, ""]);
      assert.match(
        stdout,
        /^main\/run\.har → branch\/run\.har\nSlower: 1 of 2 endpoints changed\. Its 60 requests took\s+\d+ %\s+longer/,
      );
      assert.match(stdout, /\n {3}slower: GET https:\/\/api\.test\/orders, p50 [\d.]+ ms → [\d.]+ ms,/);
      assert.match(stdout, /\nNew findings: \d+\n(?:.*\n)*?.*Errors, GET\s+https:\/\/api\.test\/prices/);
      const json = JSON.parse(compare(folder, ...words, "--format", "json").stdout);
      assert.equal(schemaProblems(SCHEMAS["weir.compare.schema.json"] ?? {}, json), []);
      assert.equal([json.before.source, json.now.source, json.counts.slower, json.now.errors], [...words, 1, 30]);
      for (const format of ["text", "md", "json"]) {
        const [one, other] = [0, 1].map(() => compare(folder, ...words, "--format", format).stdout);
        assert.is(one, other);
        assert.not.match(String(one), "s3cr3t");
      }
    }));

  test("given the same file twice, a file that cannot be read, or one argument, says so with exit code 2", () =>
    withFolder((folder) => {
      const file = har(folder, "a.har", [["https://api.test/a", 50, 5, 200]], 1);
      writeFileSync(join(folder, "broken.har"), "{");
      const cases = [
        [["a.har", file], /are the same recording/],
        [["a.har", "./absent.har"], /absent\.har cannot be read/],
        [["a.har", "broken.har"], /broken\.har cannot be read/],
        [["a.har"], /takes two recordings or HAR files/],
        [["a.har", "b.har", "c.har"], /takes two recordings or HAR files/],
        [["a.har", "b.har", "--format", "xml"], /--format takes text, md, json/],
      ] as const;
      for (const [words, said] of cases) {
        const { status, stdout, stderr } = compare(folder, ...words);
        assert.equal([status, stdout], [2, ""], words.join(" "));
        assert.match(stderr, said);
      }
      assert.is(compare(folder, "a.har", "20000101-000000", "--data-dir", folder).status, 4);
    }));

  test("given no endpoint in both, says so; a recording and a file compare like two files", () =>
    withFolder((folder) => {
      recorded(folder, 6);
      const id = listSessions(folder)[0]?.id ?? "";
      har(folder, "other.har", [["https://api.test/elsewhere", 50, 9, 200]], 1);
      const { status, stdout } = compare(folder, id, "other.har", "--data-dir", folder);
      assert.is(status, 0);
      assert.match(stdout, /\nNo endpoint has at least five requests in both/);
      assert.match(stdout, /\n {3}up to 4 requests before: GET https:\/\/api\.test\/elsewhere/);
    }));
});
