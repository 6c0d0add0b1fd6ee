import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { main as check } from "../../../scripts/check.ts";
import { describe } from "../../support/describe.ts";
import { times } from "../../support/scene.ts";
import { lognormal, seeded } from "../../support/seeded.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { weir } from "../../support/weir-in-folder.ts";
import { needs } from "../../support/which.ts";

/** What a version of the service does. */
interface Version {
  /** Whether it asks for each user of a list, too. */
  readonly asksForUsers: boolean;
  /** The median latency of GET /prices in ms. */
  readonly prices: number;
  /** The number of items of a list. */
  readonly items: number;
}

const MAIN: Version = { asksForUsers: false, prices: 80, items: 8 };
const BRANCH: Version = { ...MAIN, asksForUsers: true, prices: 120 };

/** The requests of a test run: lists with one request per order, and 60 requests to each of two other endpoints. */
function run(random: () => number, { asksForUsers, prices, items }: Version): string {
  const entries: object[] = [];
  let at = Date.UTC(2026, 5, 1);
  const ask = (path: string, median: number, body: object) => {
    const time = lognormal(random, median, 0.25);
    const text = JSON.stringify(body);
    entries.push({
      startedDateTime: new Date(at).toISOString(),
      time,
      request: { method: "GET", url: `https://shop.test${path}`, httpVersion: "HTTP/1.1", headers: [] },
      response: {
        status: 200,
        httpVersion: "HTTP/1.1",
        headers: [{ name: "Content-Type", value: "application/json" }],
        content: { size: text.length, mimeType: "application/json", text },
        bodySize: text.length,
      },
      timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0 },
    });
    at += Math.ceil(time) + 3;
  };
  const walk = (name: string, round: number, isPerItem: boolean) => {
    const ids = times(items).map((index) => 10_000 + round * 100 + index);
    ask(`/${name}?page=${round}`, 30, { ids });
    for (const id of isPerItem ? ids : []) ask(`/${name}/${id}`, 40, { id, name: `${name} ${id}` });
    at += 5_000;
  };
  for (const round of times(8)) {
    walk("orders", round, true);
    walk("users", round, asksForUsers);
  }
  for (const index of times(60)) {
    ask(`/prices?day=${index}`, prices, { price: index });
    at += 3_000;
    ask(`/stock?item=${index}`, 50, { left: index });
    at += 3_000;
  }
  return JSON.stringify({ log: { version: "1.2", entries } });
}

describe("weir check as a team's gate", (test) => {
  test("given a known N+1 that is accepted, a branch fails with exactly its own N+1 and its slower endpoint; merged, both are known", () =>
    withFolder(async (folder) => {
      const random = seeded(47);
      const file = (name: string, version: Version) => {
        writeFileSync(join(folder, name), run(random, version));
        return name;
      };
      writeFileSync(join(folder, "weir.budget.json"), '{\n  "findings": {\n    "no": ["n-plus-one"] } }');
      const main = file("main.har", MAIN);
      const first = await weir(folder, "check", main);
      assert.is(first.code, 1);
      const [, fingerprint = ""] = /n-plus-one: GET \/orders\/\{id\} .* \[([0-9a-f]{16})\]\n/.exec(first.text) ?? [];
      const reason = ["--reason", "Orders come one by one until #12."];
      assert.is((await weir(folder, "accept", fingerprint, main, ...reason)).code, 0);
      assert.is((await weir(folder, "check", main)).code, 0);

      const branch = file("branch.har", BRANCH);
      const gate = ["check", branch, "--baseline", main, "--new"];
      const failed = await weir(folder, ...gate, "--format", "json");
      assert.equal([failed.code, failed.complaint], [1, ""]);
      const [{ verdicts }] = JSON.parse(failed.text).sources;
      const of = (outcome: string) => verdicts.filter((one: { outcome: string }) => one.outcome === outcome);
      assert.equal(
        of("broken").map(({ subject, change }: Record<string, string>) => [subject, change]),
        [
          ["n-plus-one", "new"],
          ["GET https://shop.test/prices", "worse"],
        ],
      );
      assert.equal(
        of("accepted").map((one: Record<string, string>) => [one["fingerprint"], one["change"]]),
        [[fingerprint, "known"]],
      );

      const comment = await weir(folder, ...gate, "--format", "md");
      assert.is(comment.text, (await weir(folder, ...gate, "--format", "md")).text, "same input, same bytes");
      const plain = comment.text.replaceAll("\\", "");
      assert.match(plain, /\| new \| n-plus-one: GET \/users\/\{id\} was requested once per item: 64 requests/);
      assert.match(plain, /\| worse \| GET https:\/\/shop\.test\/prices: slower, p50 \S+ ms → \S+ ms, /);
      assert.match(plain, /\| accepted \| n-plus-one: GET \/orders\/\{id\} .*Orders come one by one until #12/);
      assert.match(plain, /### Evidence\n\n\*\*n-plus-one: GET \/users\/\{id\} .*\*\*\n\n- bursts: 8\n/);
      assert.match(
        plain,
        /\*\*GET https:\/\/shop\.test\/prices: slower\*\*\n\n- p50: .*\n- p95: .*\n- requests: 60 before, 60 now\n/,
      );
      const annotated = await weir(folder, ...gate, "--format", "github");
      assert.match(annotated.text, /^::error file=weir\.budget\.json,line=3,title=Weir budget::n-plus-one: /);

      // A finding that nothing limits is listed.
      writeFileSync(join(folder, "small.json"), '{ "requests": { "min": 3 } }');
      const unlimited = await weir(folder, ...gate, "--budget", "small.json");
      assert.match(
        unlimited.text,
        /\nbranch\.har: n-plus-one GET shop\.test\/users\/\{id\} is new\. Nothing limits it, so it does not fail\.\n/,
      );
      assert.not.match(failed.text, "Nothing limits it");

      // Merged: a run of the branch is the new baseline.
      const merged = await weir(folder, "check", file("next.har", BRANCH), "--baseline", branch, "--new");
      assert.equal([merged.code, merged.complaint], [0, ""], merged.text);
      assert.match(merged.text, /\n {2}known +n-plus-one: GET \/users\/\{id\} /);
      // Or accepted: both are, with the baseline that tells that the endpoint is slower.
      const all = await weir(folder, "accept", "--all", branch, "--baseline", main, ...reason);
      assert.match(all.text, / {2}regression GET shop\.test\/prices\n/);
      assert.is((await weir(folder, ...gate)).code, 0);
      assert.ok(
        readFileSync(join(folder, "weir.accepted.json"), "utf8").includes('"n-plus-one GET shop.test/users/{id}"'),
      );
    }));

  test("given an accepted N+1 that grows, says from what to what; with --new it fails until it is accepted again", () =>
    withFolder(async (folder) => {
      const random = seeded(48);
      const file = (name: string, version: Version) => {
        writeFileSync(join(folder, name), run(random, version));
        return name;
      };
      writeFileSync(join(folder, "weir.budget.json"), '{ "findings": { "no": ["n-plus-one"] } }');
      const accepted = join(folder, "weir.accepted.json");
      const [main, branch] = [file("main.har", MAIN), file("branch.har", { ...MAIN, items: 24 })];
      const accept = (har: string) => weir(folder, "accept", "--all", har, "--reason", "Until #12.");
      const gate = (har: string, ...words: readonly string[]) =>
        weir(folder, "check", har, "--baseline", main, "--new", ...words);
      await accept(main);
      const entry = JSON.parse(readFileSync(accepted, "utf8")).accepted[0];
      assert.equal([entry.cost.count, entry.cost.requests, entry.cost.latencies], [64, 200, 64]);
      assert.is((await gate(file("same.har", MAIN))).code, 0);

      const GREW =
        /n-plus-one: .* \(accepted, but grew from \d\S* m?s in 200 requests to \d\S* m?s in 328 requests: Until/;
      const said = await weir(folder, "check", branch);
      assert.match(said.text, GREW);
      assert.match(said.text, ", 1 accepted (1 grew).");
      assert.is(said.code, 0, "without --new it is only said");
      const warned = await weir(folder, "check", branch, "--format", "github");
      assert.match(warned.text, /^::warning file=weir\.budget\.json,line=1,title=Weir budget::n-plus-one: /);
      const failed = await gate(branch);
      assert.equal([failed.code, GREW.test(failed.text)], [1, true], failed.text);
      const annotated = await gate(branch, "--format", "github");
      assert.match(annotated.text, /^::error file=weir\.accepted\.json,line=4,title=Weir budget::n-plus-one: /);

      // A file of an earlier version has no costs: then the baseline tells.
      const { cost: _, ...old } = entry;
      writeFileSync(accepted, JSON.stringify({ schema: 1, accepted: [old] }));
      const compared = await gate(branch);
      assert.equal([compared.code, GREW.test(compared.text)], [1, true], compared.text);
      assert.not.match((await weir(folder, "check", branch)).text, "grew");

      await accept(branch);
      const again = await gate(branch);
      assert.equal([again.code, again.text.includes("grew")], [0, false], again.text);
    }));

  test(
    "given two branches that accept a finding each, git's union merge has both; a conflict that is left is told",
    () =>
      withFolder(async (folder) => {
        const random = seeded(49);
        const git = (...words: readonly string[]) =>
          spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t.test", ...words], {
            cwd: folder,
            encoding: "utf8",
          });
        const accept = (...words: readonly string[]) =>
          weir(folder, "accept", ...words, "run.har", "--reason", "Known.");
        writeFileSync(join(folder, "run.har"), run(random, BRANCH));
        writeFileSync(join(folder, "weir.budget.json"), '{ "findings": { "no": ["n-plus-one"] } }');
        const first = await weir(folder, "check", "run.har");
        const [one = "", other = ""] = [...first.text.matchAll(/\[([0-9a-f]{16})\]/g)].map(
          ([, digits]) => digits ?? "",
        );
        git("init", "-q", "-b", "main");
        writeFileSync(join(folder, "weir.accepted.json"), '{\n  "schema": 1,\n  "accepted": []\n}\n');
        git("add", "weir.accepted.json");
        git("commit", "-q", "-m", "main");
        for (const [branch, fingerprint] of [
          ["one", one],
          ["other", other],
        ] as const) {
          git("checkout", "-q", "-b", branch, "main");
          await accept(fingerprint);
          git("commit", "-q", "-a", "-m", branch);
        }
        assert.is(git("merge", "one").status, 1);
        const conflict = await weir(folder, "check", "run.har");
        assert.match(conflict.complaint, /^weir\.accepted\.json: Line 4: a merge left its conflict here\. /);
        git("merge", "--abort");
        writeFileSync(join(folder, ".gitattributes"), "weir.accepted.json merge=union\n");
        assert.is(git("merge", "one").status, 0);
        const merged = await weir(folder, "check", "run.har");
        assert.equal([merged.code, merged.complaint], [0, ""], merged.text);
        assert.match(merged.text, ", 2 accepted");
      }),
    { skip: needs("git") },
  );

  test("given 50 branches that change nothing, at least 49 pass", () =>
    withFolder(async (folder) => {
      const random = seeded(50);
      const budget = join(folder, "budget.json");
      const [left, right, out] = ["main.har", "branch.har", "out.txt"].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      writeFileSync(budget, '{ "findings": { "no": ["n-plus-one"] } }');
      const failed: string[] = [];
      for (const _ of times(50)) {
        writeFileSync(left, run(random, MAIN));
        writeFileSync(right, run(random, MAIN));
        const code = await check({ values: { baseline: left, new: true, budget, out }, positionals: [right] });
        if (code !== 0) failed.push(`${code} ${readFileSync(out, "utf8")}`);
      }
      assert.ok(failed.length <= 1, failed.join("\n"));
    }));
});
