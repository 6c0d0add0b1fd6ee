import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { keptFiguresOf } from "../../../extensions/proxy/export/stored-figures.ts";
import { main as check } from "../../../scripts/check.ts";
import { main as compare } from "../../../scripts/compare.ts";
import { toolsOf } from "../../../scripts/mcp/tools.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { compareRows } from "../../../src/engine/session/lists/compare-list.ts";
import type { SessionFigures } from "../../../src/engine/session/lists/figures.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { times } from "../../support/scene.ts";
import { lognormal, seeded } from "../../support/seeded.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** A run of drawn traffic: bursts per item, failing requests, secrets in paths, one host by another scheme or name. */
function run(random: () => number, host: string): string {
  const entries: object[] = [];
  let at = Date.UTC(2026, 5, 1);
  const ask = (url: string, median: number, status = 200) => {
    const time = lognormal(random, median, 0.25);
    entries.push({
      startedDateTime: new Date(at).toISOString(),
      time,
      request: { method: "GET", url, httpVersion: "HTTP/1.1", headers: [{ name: "User-Agent", value: "app/1" }] },
      response: { status, httpVersion: "HTTP/1.1", headers: [], content: { size: 2 }, bodySize: 2 },
      timings: { send: 0, wait: time, receive: 0 },
    });
    at += Math.ceil(time) + 3;
  };
  const among = (...values: readonly number[]) => values[Math.floor(random() * values.length)] as number;
  for (const name of ["orders", "users", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"]) {
    const [items, median] = [among(0, 6, 6, 12), among(30, 30, 60)];
    for (const round of times(6)) {
      ask(`${host}/${name}?page=${round}`, median);
      for (const item of times(items)) ask(`${host}/${name}/${1_000 + round * 20 + item}`, median);
      at += 5_000;
    }
  }
  const [failing, slow] = [among(0, 3, 20), among(50, 50, 90)];
  for (const index of times(40)) {
    ask(`https://prices.test/prices?day=${index}`, slow, index < failing ? 503 : 200);
    at += 2_000;
  }
  return JSON.stringify({ log: { version: "1.2", entries } });
}

const HOSTS = ["http://shop.test", "https://shop.test", "http://127.0.0.1:4000"] as const;
const ALIAS = "127.0.0.1=shop.test";

interface Named {
  readonly fingerprint: string;
}

/** What each says of a pair: findings by verdict, and endpoints that became slower or faster. */
interface Said {
  readonly added: readonly string[];
  readonly worse: readonly string[];
  readonly gone: readonly string[];
  readonly slower: readonly string[];
  readonly faster: readonly string[];
}

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

function compared(report: {
  readonly findings: { readonly added: Named[]; readonly gone: Named[]; readonly worse: { readonly now: Named }[] };
  readonly endpoints: readonly { readonly path: string; readonly verdict: string }[];
}): Said {
  const names = (all: readonly Named[]) => sorted(all.map(({ fingerprint }) => fingerprint));
  const paths = (verdict: string) =>
    sorted(report.endpoints.filter((one) => one.verdict === verdict).map(({ path }) => path));
  const { added, gone, worse } = report.findings;
  return {
    added: names(added),
    gone: names(gone),
    worse: names(worse.map(({ now }) => now)),
    slower: paths("slower"),
    faster: paths("faster"),
  };
}

describe("equal verdicts in window, command line and MCP", (test) => {
  test(
    "given drawn pairs, the window's Compare, weir compare, weir check --new and MCP agree",
    () =>
      withFolder(async (folder) => {
        const random = seeded(4_711);
        const at = (name: string) => join(folder, name);
        const [left, right, out] = [at("main.har"), at("branch.har"), at("out.json")];
        const kinds = FINDING_KINDS.filter((kind) => kind !== "regression");
        writeFileSync(at("budget.json"), JSON.stringify({ findings: { no: kinds } }));
        const total = { added: 0, worse: 0, gone: 0, slower: 0, faster: 0 };
        for (const index of times(rounds(24))) {
          const aliases = index % 3 === 2 ? { "host-alias": [ALIAS] } : {};
          writeFileSync(left, run(random, HOSTS[0]));
          writeFileSync(right, run(random, HOSTS[index % 3] ?? HOSTS[0]));
          const json = () => JSON.parse(readFileSync(out, "utf8"));

          await compare({ values: { format: "json", out, ...aliases }, positionals: [left, right] });
          const report = compared(json());
          const values = { baseline: left, new: true, budget: at("budget.json"), format: "json", out, ...aliases };
          const code = await check({ values, positionals: [right] });
          const [judged] = json().sources;
          const verdicts = judged.verdicts as { what: string; change: string; outcome: string; fingerprint: string }[];
          const changed = (change: string) =>
            sorted(
              verdicts
                .filter((one) => one.what === "finding" && one.change === change && one.outcome === "broken")
                .map(({ fingerprint }) => fingerprint),
            );
          const paths = (verdict: string) =>
            sorted(
              (judged.changed as { endpoint: string; verdict: string }[])
                .filter((one) => one.verdict === verdict)
                .map(({ endpoint }) => endpoint.replace(/^\w+ \w+:\/\/[^/]+/, "")),
            );
          const checked: Said = {
            added: changed("new"),
            worse: changed("worse"),
            gone: sorted(judged.gone.map(({ fingerprint }: Named) => fingerprint)),
            slower: paths("slower"),
            faster: paths("faster"),
          };
          assert.equal(checked, report);
          const fails = [checked.added, checked.worse, checked.slower].some((list) => list.length > 0);
          assert.is(code, fails ? 1 : 0);
          for (const name of Object.keys(total) as (keyof Said)[]) total[name] += report[name].length;

          // The window and MCP know no aliases.
          if (index % 3 === 2) continue;
          const tool = toolsOf({ files: [left, right], dataDir: folder }).find(({ name }) => name === "compare");
          const [, text = ""] = (await tool?.call({ before: left, session: right })) ?? [];
          const answer = JSON.parse(text);
          assert.equal(compared({ ...answer, endpoints: answer.rows }), report);
          const [before, now] = await Promise.all([left, right].map(figuresIn));
          const pair = { left: before as SessionFigures, right: now as SessionFigures };
          const sort = { column: "verdict", descending: true } as const;
          const rows = unwrap(compareRows(pair, DEFAULT_SETTINGS, [], sort, { from: 0, count: 1_000 })).records;
          const shown = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
          assert.equal([shown("slower"), shown("faster")], [report.slower.length, report.faster.length]);
        }
        assert.ok(
          Object.values(total).every((number) => number > 0),
          `every verdict was drawn: ${JSON.stringify(total)}`,
        );
      }),
    { isLong: true },
  );
});

async function figuresIn(file: string): Promise<SessionFigures> {
  const source = unwrap(await openSource({ file }));
  const figures = keptFiguresOf(source.session);
  source.close();
  return figures;
}
