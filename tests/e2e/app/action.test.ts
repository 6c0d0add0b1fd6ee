import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { describe } from "../../support/describe.ts";
import { recipeIn } from "../../support/recipes.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { needs } from "../../support/which.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const WEIR = join(ROOT, "scripts", "weir.mjs");

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION: Action = parse(readFileSync(join(ROOT, ".github/actions/weir/action.yml"), "utf8"));

/** Runs a script as GitHub's runner runs `shell: bash`. */
function bash(folder: string, script: string, env: Readonly<Record<string, string>>) {
  const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  const { status, stdout, stderr } = spawnSync("bash", words, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** Runs the steps of the action with these inputs, as far as one fails. */
function act(folder: string, given: Readonly<Record<string, string>>) {
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const outputs = new Map<string, string>();
  const resolved = (expression: string): string => {
    const [, input, step, output] =
      /^\$\{\{ (?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.([\w-]+)) \}\}$/.exec(expression) ?? [];
    assert.ok((input ?? step) !== undefined, expression);
    return input === undefined
      ? (outputs.get(`${step} ${output}`) ?? "")
      : (given[input] ?? ACTION.inputs[input]?.default ?? "");
  };
  for (const path of Object.values(files)) writeFileSync(path, "");
  let ran = { status: 0 as number | null, stdout: "", stderr: "" };
  for (const { id, run = "", env = {} } of ACTION.runs.steps) {
    writeFileSync(files.GITHUB_OUTPUT, "");
    const values = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolved(text)]));
    ran = bash(folder, run, { ...files, RUNNER_TEMP: folder, ...values });
    for (const line of readFileSync(files.GITHUB_OUTPUT, "utf8").trim().split("\n"))
      outputs.set(`${id} ${line.split("=")[0]}`, line.slice(line.indexOf("=") + 1));
    if (ran.status !== 0) break;
  }
  return { ...ran, code: outputs.get("check exit-code"), summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
}

/** A HAR file with ten requests that took this long, ms. */
function har(folder: string, name: string, time: number): void {
  const entries = Array.from({ length: 10 }, (_, index) => ({
    startedDateTime: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
    time,
    request: { method: "GET", url: "https://api.test/orders", httpVersion: "HTTP/1.1", headers: [] },
    response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 2 }, bodySize: 2 },
    timings: { send: 0, wait: time, receive: 0 },
  }));
  writeFileSync(join(folder, name), JSON.stringify({ log: { version: "1.2", entries } }));
}

/** All steps of a workflow or of a list of steps. */
function stepsOf(workflow: unknown): readonly Step[] {
  if (Array.isArray(workflow)) return workflow;
  const { jobs } = workflow as { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

describe("GitHub action and recipes", (test) => {
  test("given the steps of the action and HAR files, ends with the code of check, in the log and in the summary", () =>
    withFolder((folder) => {
      assert.is(ACTION.runs.using, "composite");
      har(folder, "quick.har", 20);
      har(folder, "slow run.har", 200);
      writeFileSync(join(folder, "limits.json"), '{ "endpoints": { "GET /orders": { "p95": 100 } } }');
      const given = { weir: ROOT, budget: "limits.json" };
      const kept = act(folder, { ...given, files: "quick.har" });
      assert.equal([kept.status, kept.code, kept.stdout], [0, "0", ""], kept.stderr);
      assert.match(kept.summary, /^## Budget of quick/);
      const broken = act(folder, { ...given, files: "quick.har\nslow run.har\n" });
      assert.equal([broken.status, broken.code], [1, "1"]);
      assert.match(broken.stdout, /^::error .*slow run\.har\]?\n$/);
      const out = act(folder, { ...given, files: "slow run.har", format: "sarif", out: "weir.sarif" });
      assert.equal([out.status, JSON.parse(readFileSync(join(folder, "weir.sarif"), "utf8")).version], [1, "2.1.0"]);
      // An input is never part of a script.
      const hostile = act(folder, { ...given, files: '$(touch pwned)"; touch pwned; "' });
      assert.is(hostile.status, 2);
      assert.is(bash(folder, "test -e pwned", {}).status, 1);
      const absent = act(folder, { weir: "absent.tgz", files: "quick.har" });
      assert.equal([absent.status, absent.stdout], [2, "::error::weir: there is neither a tarball nor a clone at absent.tgz\n"]); // biome-ignore format: one line
    }));

  test(
    "given a tarball, installs it and runs its command",
    () =>
      withFolder((folder) => {
        mkdirSync(join(folder, "package", "scripts"), { recursive: true });
        const { name } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
        const facts = { name, version: "0.1.0", bin: { weir: "scripts/weir.mjs" } };
        writeFileSync(join(folder, "package", "package.json"), JSON.stringify(facts));
        writeFileSync(join(folder, "package", "scripts", "weir.mjs"), "console.log(process.argv.slice(2).join());");
        assert.is(spawnSync("tar", ["-czf", "weir-0.1.0.tgz", "package"], { cwd: folder }).status, 0);
        const { status, stdout, summary } = act(folder, {
          weir: "weir-0.1.0.tgz",
          session: "last",
          baseline: "before",
          new: "true",
          accepted: "known.json",
          "host-alias": "a.test=b.test\nc.test=b.test",
        });
        const more = "--new,--accepted,known.json,--host-alias,a.test=b.test,--host-alias,c.test=b.test";
        const words = `check,--session,last,--baseline,before,${more},--format`;
        assert.equal([status, summary], [0, `${words},md\n`]);
        assert.is(stdout, `${words},github\n`);
      }),
    { skip: needs("tar", "npm") },
  );

  test("given the workflows of the recipes, the pull request's has no secret, and no script holds an expression", () => {
    const test_ = parse(recipeIn("GitHub", "yaml"));
    const stored = parse(recipeIn("A comment on the pull request", "yaml"));
    const posted = parse(recipeIn("The workflow that posts the comment", "yaml"));
    assert.equal([test_.on, test_.permissions], ["pull_request", { contents: "read" }]);
    for (const text of [recipeIn("GitHub", "yaml"), recipeIn("A comment on the pull request", "yaml")])
      assert.not.match(text, /secrets|token|write/);
    assert.equal([posted.on.workflow_run.workflows, posted.permissions["pull-requests"]], [[test_.name], "write"]);
    assert.ok(!stepsOf(posted).some(({ uses = "" }) => uses.startsWith("actions/checkout")));
    const own = stepsOf(test_).find(({ uses }) => uses === "./.github/actions/weir");
    for (const input of Object.keys(own?.with ?? {})) assert.ok(ACTION.inputs[input] !== undefined, input);
    for (const { run = "" } of [...stepsOf(test_), ...stepsOf(stored), ...stepsOf(posted), ...ACTION.runs.steps]) {
      assert.not.match(run, /\$\{\{|npx weir/);
      assert.is(spawnSync("bash", ["-n", "-c", run]).status, 0, run);
    }
  });

  test("given an artifact of a fork, comments only with the number of a pull request whose commit ran", () =>
    withFolder((folder) => {
      const [step] = stepsOf(parse(recipeIn("The workflow that posts the comment", "yaml"))).filter(({ run }) => run);
      const said = join(folder, "said");
      writeFileSync(
        join(folder, "gh"),
        `#!/bin/sh\nif [ "$1" = api ]; then echo abc; else echo "$@" >> "${said}"; fi\n`,
      );
      chmodSync(join(folder, "gh"), 0o755);
      const env = { PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`, REPOSITORY: "o/r" };
      const post = (number: string, commit: string) => {
        writeFileSync(join(folder, "number.txt"), number);
        writeFileSync(join(folder, "weir.md"), "x".repeat(70_000));
        return bash(folder, step?.run ?? "", { ...env, COMMIT: commit }).status;
      };
      assert.equal([post("7; id", "abc"), post("", "abc"), post("7", "other")], [1, 1, 1]);
      assert.is(bash(folder, "test -e said", {}).status, 1);
      assert.is(post("7\n", "abc"), 0);
      assert.is(
        readFileSync(said, "utf8"),
        "pr comment 7 --repo o/r --body-file comment.md --edit-last --create-if-none\n",
      );
      assert.is(readFileSync(join(folder, "comment.md"), "utf8").length, 60_000);
    }));

  test(
    "given the recipe for pytest, records what the tests request, and checks it",
    async () => {
      await builtApp();
      await withFolder(async (folder) => {
        const server = createServer((_, response) => response.end("done"));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const bin = join(folder, "bin");
        mkdirSync(bin);
        writeFileSync(join(bin, "weir"), `#!/bin/sh\nexec "${process.execPath}" "${WEIR}" "$@"\n`);
        chmodSync(join(bin, "weir"), 0o755);
        const { port } = server.address() as AddressInfo;
        const source = `import urllib.request\nimport pytest\n
@pytest.mark.parametrize("n", range(10))
def test_orders(n):
    assert urllib.request.urlopen("http://orders.localhost:${port}/orders").read() == b"done"\n`;
        writeFileSync(join(folder, "test_orders.py"), source);
        writeFileSync(
          join(folder, "weir.budget.json"),
          '{ "endpoints": { "GET /orders": { "count": 10, "errors": 0 } } }',
        );
        // Servers answer within this process, so the shell must not block it.
        const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`, HOME: folder };
        const child = spawn("bash", ["-eo", "pipefail", "-c", recipeIn("pytest", "sh")], { cwd: folder, env });
        let text = "";
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => {
            text += chunk.toString();
          });
        const code = await new Promise((resolve) => child.once("close", resolve));
        // If a command failed, Weir still runs.
        spawnSync(join(bin, "weir"), ["stop", "--data-dir", join(folder, "weir")]);
        server.closeAllConnections();
        server.close();
        assert.is(code, 0, text);
        assert.match(text, /10 passed(?:.*\n)*.*\b2 kept/);
      });
    },
    { skip: needs("pytest") },
  );
});
