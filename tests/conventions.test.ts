import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { VERSION } from "../extensions/proxy/version.ts";
import { describe } from "./support/describe.ts";
import { automatonOf } from "./support/patterns/automaton.ts";
import { growthOf } from "./support/patterns/growth.ts";
import { capturedTextPatterns } from "./support/patterns/literals.ts";
import { signaturesIn } from "./support/signatures.ts";
import { filesBelow } from "./support/test-files.ts";

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const filesIn = (...folders: readonly string[]): string[] =>
  folders.flatMap(filesBelow).filter((path) => /\.(?:ts|mjs|html|css)$/.test(path));

/** Source without comments, strings and templates: only names are left. */
const namesOnly = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, " ");

/** Words that docs/glossary.md replaced by the field's terms. */
const RETIRED =
  /\b(?:\w*(?:Desk|Errand|Farewell|Foremost|Remark)(?!top)\w*|(?:desk(?!top)|errand|farewell|foremost|remark)[A-Z]?\w*|Bites?|Seat|[Kk]nock|letGo|giveBack|goOn|holdBack|carryOut|heed|hurry|outliveSending|forgetSending|speechOf|Ways|wayTo|WaySessions|Outflow|TURN|BatchRooms|\w*[Ss]ought\w*|AskedRows|RowTest|TextCodes|PlacesAround|FirstRows|ShownList|onceSettled|MOST_SESSIONS|silentSession|hurried|tellings|tellingOf|GivenUp|giveUpOldest|giveWay|KNOCK_FILE|TOLD_AFTER|TOLD_AGAIN|TOLD_EVERY|WOKEN_EVERY|UNTOLD|Absence|QUESTIONS|Way|Surroundings)\b/g;

/** A failure in a union: a kind with its reason, or an object with a problem alone. */
const FAILURE_IN_UNION =
  /\| \{ (?:readonly kind: "[\w-]+"; )?readonly (?:reason|problem|sentence): string \}|^export interface \w+ \{\n {2}readonly (?:reason|problem): string;\n\}/m;

/** Sources with one such failure among several other kinds, read only in their own room. */
const KINDS_OF_ONE_ROOM: readonly string[] = [
  "extensions/proxy/data-thread/network/client/destination.ts",
  "src/engine/session/queries/query-runner.ts",
];

/** Verbs that are too general to search for when many classes share them. */
const BARE_VERBS = ["take", "leave", "keep", "tell", "ask", "end", "begin"] as const;

/**
 * The number of sources without a test at the mirrored path, by room: types, tables, and sources that other files'
 * tests cover. A number may only decrease: a new source has its test, and a new test lowers the number here.
 */
const WITHOUT_TEST: Readonly<Record<string, number>> = {
  "extensions/proxy/analysis-thread": 2,
  "extensions/proxy/certificates": 2,
  "extensions/proxy/data-thread": 39,
  "extensions/proxy/decoding": 3,
  "extensions/proxy/engine-thread": 5,
  "extensions/proxy/export": 2,
  "extensions/proxy/import-thread": 2,
  "extensions/proxy/main.ts": 1,
  "extensions/proxy/new-start.ts": 1,
  "extensions/proxy/process": 4,
  "extensions/proxy/storage": 2,
  "extensions/proxy/threads.ts": 1,
  "extensions/proxy/version.ts": 1,
  "extensions/proxy/window": 3,
  "src/engine/budget": 1,
  "src/engine/capture": 2,
  "src/engine/hub": 42,
  "src/engine/insights": 40,
  "src/engine/interchange": 10,
  "src/engine/messages": 21,
  "src/engine/model": 9,
  "src/engine/report": 6,
  "src/engine/session": 10,
  "src/ui/alpine.ts": 1,
  "src/ui/channel": 5,
  "src/ui/connection.ts": 1,
  "src/ui/format": 8,
  "src/ui/hub.ts": 1,
  "src/ui/later.ts": 1,
  "src/ui/main.ts": 1,
  "src/ui/parts": 11,
  "src/ui/report-page": 3,
  "src/ui/start.ts": 1,
  "src/ui/state": 3,
  "src/ui/theme": 1,
  "src/ui/views": 56,
};

/** A command line that may fetch Weir, or a package named `weir`, from a registry. */
const FETCHED =
  /\b(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun) (?:exec|dlx|x))(?: --?[\w=-]+)* weir\b|\b(?:npm|pnpm|yarn|bun) (?:i|install|add|global add)(?: --?[\w=-]+)* weir\b/;

/** The first cell of each row of a document's tables. */
const rowsOf = (path: string): string[] =>
  [...text(path).matchAll(/^\| ([^|]+?) \|/gm)].map(([, row = ""]) => row.replaceAll("`", ""));

describe("conventions", (test) => {
  test("given package.json, the shell's config and the program, all three have the same version", () => {
    assert.is(JSON.parse(text("package.json")).version, VERSION);
    assert.is(JSON.parse(text("neutralino.config.json")).version, VERSION);
  });

  test("given the shell's allow list, its only powerful call is os.getEnv", () => {
    const allowed: readonly string[] = JSON.parse(text("neutralino.config.json")).nativeAllowList;
    const strong = allowed.filter((name) => name.includes("*") || /^(os|filesystem)\./.test(name));
    // The hub's window is a process of its own. It gets its ticket through the environment, which other users cannot
    // read.
    assert.equal(strong, ["os.getEnv"]);
  });

  // npm installs only what the lock file lists for a system, so an unlisted build tool would be missing there.
  test("given an optional dependency of any package, the lock file lists it", () => {
    const locked: Record<string, { optionalDependencies?: object }> = JSON.parse(text("package-lock.json")).packages;
    const missing = Object.values(locked)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !Object.keys(locked).some((path) => path.endsWith(`node_modules/${name}`)));
    assert.equal(missing, []);
  });

  test("given the regular expressions over captured text, each takes time linear in the text's length", () => {
    const dear = capturedTextPatterns().flatMap(({ place, source, flags }) => {
      const growth = growthOf(automatonOf(source, flags));
      return growth === null ? [] : [`${place}: /${source}/${flags} on ${JSON.stringify(growth)}`];
    });
    assert.equal(dear, []);
  });

  test("given a document that a source names, the document exists and has the cited row", () => {
    const named = filesIn("src", "extensions", "scripts", "bench", "tests").flatMap((path) =>
      [...text(path).matchAll(/(?<![\w./-])((?:docs\/)?[\w-]+\.md)\b(?:, ([^\n]{3,60})| ([FTSLR]\d+)\b)?/g)].map(
        ([, file = "", row, rule]) => ({ path, file, row: (row ?? rule ?? "").replaceAll("`", "") }),
      ),
    );
    const isCited = (file: string) => /^docs\/(?:specification|security)\.md$/.test(file);
    const wrong = named.filter(
      ({ path, file, row }) =>
        /^docs\//.test(file) &&
        (!existsSync(new URL(`../${file}`, import.meta.url)) ||
          (isCited(file) &&
            row !== "" &&
            !path.endsWith("conventions.test.ts") &&
            !rowsOf(file).some((known) => row.startsWith(known)))),
    );
    assert.equal(wrong, []);
    assert.ok(named.some(({ file }) => isCited(file)));
  });

  test("given file names and identifiers, uses none that the glossary retired", () => {
    const sources = filesIn("src", "extensions", "scripts", "bench", "tests").filter((path) => path.endsWith(".ts"));
    const wrong = sources.flatMap((path) => {
      const names = path === "tests/conventions.test.ts" ? "" : namesOnly(text(path));
      return [...new Set(`${path.split(/[/.-]/).join(" ")} ${names}`.match(RETIRED) ?? [])].map(
        (name) => `${path}: ${name}`,
      );
    });
    assert.equal(wrong, []);
  });

  test("given a bare verb, at most three classes have a public method of that name", () => {
    const classes = filesIn("src", "extensions")
      .filter((path) => path.endsWith(".ts") && /\bclass \w/.test(text(path)))
      .map((path) => ({ path, names: namesOnly(text(path)) }));
    for (const verb of BARE_VERBS) {
      const method = new RegExp(`^  (?:static |async |override |\\*)*${verb}\\(`, "m");
      const sharing = classes.filter(({ names }) => method.test(names)).map(({ path }) => path);
      assert.ok(sharing.length <= 3, `${verb}: ${sharing.join(", ")}`);
    }
  });

  test("given a function that can fail, returns a Result, or Problem | null if it has no value", () => {
    const sources = filesIn("src", "extensions", "scripts").filter((path) => path.endsWith(".ts"));
    const wrong = sources.flatMap((path) => {
      const functions = signaturesIn(text(path)).filter(({ name, comment, returns }) => {
        const others = returns.filter((one) => !/^(?:string|number|null|undefined)$/.test(one));
        const isProblem = /problem|refusal/i.test(name) || /\bproblem\b|\b(?:on|for) success\b/.test(comment);
        return returns.includes("string") && (others.length > 0 || (returns.includes("null") && isProblem));
      });
      const isChecked = !path.startsWith("src/ui/") && !KINDS_OF_ONE_ROOM.includes(path);
      const unions = isChecked ? (text(path).match(FAILURE_IN_UNION) ?? []) : [];
      return [...functions.map(({ name }) => name), ...unions].map((found) => `${path}: ${found}`);
    });
    assert.equal(wrong, []);
  });

  test("given the sources without a test of their own, each folder has as many as are listed here", () => {
    const counts: Record<string, number> = {};
    for (const path of filesIn("src", "extensions").filter((name) => /(?<!\.d)\.ts$/.test(name))) {
      const mirrored = path.replace("src/", "tests/").replace("extensions/", "tests/").replace(/\.ts$/, ".test.ts");
      const room = path.split("/").slice(0, 3).join("/");
      if (!existsSync(new URL(`../${mirrored}`, import.meta.url))) counts[room] = (counts[room] ?? 0) + 1;
    }
    assert.equal(counts, WITHOUT_TEST);
  });

  test("given the engine's sources, finds no reading of a clock", () => {
    const clock = /(?<!new )\bDate\b(?!\.(?:UTC|parse)\()|\bnew Date\b(?!\(\s*[^\s)])|\bperformance\b/;
    const sources = filesIn("src/engine").filter((path) => path.endsWith(".ts"));
    assert.equal(
      sources.filter((path) => clock.test(namesOnly(text(path)))),
      [],
    );
    for (const source of ["Date.now()", "new Date()", "new Date", "Date()", "performance.now()", "const D = Date;"])
      assert.ok(clock.test(source), source);
  });

  // Weir is not published: these would fetch and run a stranger's package.
  test("given documents, sources and golden files, none tells the reader to run Weir from a registry", () => {
    const documents = readdirSync(new URL("..", import.meta.url)).filter((name) =>
      /\.(?:md|json)$|^Dockerfile$/.test(name),
    );
    const folders = [
      "docs",
      "scripts",
      "src",
      "extensions",
      "resources",
      "bench",
      ".ci",
      ".github",
      "tests/golden",
      "packaging",
    ];
    assert.equal(
      [...documents, ...folders.flatMap(filesBelow)].filter((path) => FETCHED.test(text(path))),
      [],
    );
    for (const line of ["npx weir", "npx --yes weir-proxy@1", "pnpm dlx weir", "npm install -g weir-proxy"])
      assert.ok(FETCHED.test(line), line);
    for (const line of ["npx next dev", "npm install -g ./weir-proxy-0.1.0.tgz", "npm run weir -- report FILE"])
      assert.not.ok(FETCHED.test(line), line);
  });

  test("given the README, its first two commands start Weir and run its tests", () => {
    const commands = [...text("README.md").matchAll(/^npm install && npm \w+$/gm)].map(([line]) => line);
    assert.equal(commands.slice(0, 2), ["npm install && npm start", "npm install && npm test"]);
  });
});
