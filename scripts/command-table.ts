import { ENGINE_OPTIONS, type Option, type Parsed } from "../extensions/proxy/process/arguments.ts";
import { VERDICT_FORMATS } from "../src/engine/budget/verdict-texts.ts";
import { EXPORT_TABLES } from "../src/engine/messages/exchange-messages.ts";
import { USUAL_UNITS } from "../src/engine/messages/experiment-messages.ts";
import { DEFAULT_LEVELS } from "../src/engine/model/experiment.ts";
import { SHELLS } from "../src/engine/quoting/shell.ts";

/** A command of `weir`. */
export interface Command {
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Arguments of the command that are not options; `""`: none. */
  readonly positionals: string;
  readonly options: readonly (Option & { readonly note: string })[];
  /** The last lines of the command's help. */
  readonly footnote?: string;
  /** The script beside this file whose `main` runs the command; `null`: `weir` itself answers. */
  readonly script: `${string}.ts` | "start.mjs" | null;
}

/** Options for the scripts that start Weir; all other options of `weir start` are for its process. */
export const OWN_OPTIONS = [
  { name: "native", value: null, note: "open a native window (default: if available)" },
  { name: "browser", value: null, note: "open a browser window" },
  { name: "no-open", value: null, note: "open no window, print the window's address" },
  {
    name: "background",
    value: null,
    note: "open no window and return when Weir is ready; weir stop ends Weir",
  },
  { name: "demo", value: null, note: "send sample traffic" },
  { name: "dev", value: null, note: null },
] as const satisfies readonly Option[];

const [NATIVE, BROWSER, NO_OPEN, BACKGROUND, DEMO] = OWN_OPTIONS;
const START = [NATIVE, BROWSER, NO_OPEN, ...ENGINE_OPTIONS.filter((option) => option.note !== null)];

const DATA_DIR = { name: "data-dir", value: "DIR", note: "where Weir keeps its data" } as const;

const READ = [
  { name: "session", value: "current|last|ID|NAME", note: "the recording to read (default: the newest)" },
  DATA_DIR,
] as const;

const OUT = { name: "out", value: "FILE", note: "write to this file instead of standard output" } as const;

const HOST_ALIAS = {
  name: "host-alias",
  value: "HOST=HOST",
  isRepeatable: true,
  note: "another name of a host, as in staging.example.com=api.example.com",
} as const;

/** Options of the commands that know a finding by its fingerprint. */
const KNOWN = [
  HOST_ALIAS,
  { name: "accepted", value: "FILE", note: "the accepted findings (default: weir.accepted.json)" },
] as const;

const BASELINE = { name: "baseline", value: "FILE.har|SESSION" } as const;

const WRITTEN = [{ name: "no-redact", value: null, note: "keep cookies, tokens and other secrets" }, OUT] as const;

/** Limits that a first `weir.budget.json` can hold. */
export const SAMPLE_BUDGET =
  '{ "endpoints": { "*": { "p95": 500, "errors": 1 } }, "findings": { "no": ["retries"] }, "load": { "p95": 2000 } }';

const TABLE = [
  {
    name: "start",
    summary: "Start Weir (the default command)",
    positionals: "",
    options: [...START, BACKGROUND, DEMO],
    script: "start.mjs",
  },
  {
    name: "demo",
    summary: "Start Weir with sample traffic",
    positionals: "",
    options: START,
    script: "start.mjs",
  },
  {
    name: "stop",
    summary: "End the running Weir, as Ctrl+C does",
    positionals: "",
    options: [{ name: "data-dir", value: "DIR", note: "where the running Weir keeps its data" }],
    script: "stop.ts",
  },
  {
    name: "report",
    summary: "List what makes traffic slow, the costliest cause first",
    positionals: "[FILE.har …]",
    options: [
      ...READ,
      { name: "format", value: "text|json|md|html", note: "default: text" },
      {
        name: "what-if",
        value: "ENDPOINT=MS",
        isRepeatable: true,
        note: 'tell how much sooner page loads would end, as for "GET /v1/prices=50"',
      },
      ...WRITTEN,
    ],
    footnote: "JSON is an object for one file and a list for several. HTML is one self-contained page.",
    script: "report.ts",
  },
  {
    name: "export",
    summary: "Write a recording or a HAR file in another format",
    positionals: "[FILE.har …]",
    options: [
      ...READ,
      { name: "format", value: "har|json|csv|md", note: "required" },
      { name: "table", value: "NAME", note: `a table instead of exchanges: ${EXPORT_TABLES.join(", ")}` },
      { name: "filter", value: "TEXT", note: "as in the window, such as status:5xx dur>500 host:api" },
      ...WRITTEN,
    ],
    footnote: "For several files, the JSON is a list of {source, rows}. A table is written as json, csv or md.",
    script: "export.ts",
  },
  {
    name: "check",
    summary: "Check a recording or HAR files against a budget; the exit code is the result",
    positionals: "[FILE.har …]",
    options: [
      ...READ,
      { name: "budget", value: "FILE", note: "the limits (default: weir.budget.json)" },
      { ...BASELINE, note: "also check whether endpoints are slower than in this recording or file" },
      { name: "new", value: null, note: "only what is new or worse than in the baseline fails" },
      ...KNOWN,
      { name: "format", value: VERDICT_FORMATS.join("|"), note: "default: text" },
      OUT,
    ],
    footnote: `Exit code: 0 all limits kept, 1 a limit broken, an endpoint slower, an acceptance over or (--new) an accepted finding worse, 6 too few to judge: below 10 requests in all (requests.min in the budget), 5 of a limited endpoint, or 5 loads of a page for load.p95 (n). --baseline needs no budget. A weir.budget.json to start from (times in ms, errors in %):\n${SAMPLE_BUDGET}`,
    script: "check.ts",
  },
  {
    name: "compare",
    summary: "Tell what changed between two recordings or HAR files, per endpoint and finding",
    positionals: "BEFORE NOW",
    options: [{ name: "format", value: "text|md|json", note: "default: text" }, DATA_DIR, HOST_ALIAS, ...WRITTEN],
    footnote:
      "BEFORE and NOW: a HAR file, or a session's id or name, current or last. Verdicts are those of Compare in the window.",
    script: "compare.ts",
  },
  {
    name: "accept",
    summary: "Accept findings of a recording or HAR files, so that weir check lists them and does not fail",
    positionals: "[FINGERPRINT …] [FILE.har …]",
    options: [
      ...READ,
      { name: "all", value: null, note: "accept every finding" },
      { name: "reason", value: "TEXT", note: "why; required" },
      { name: "until", value: "DATE", note: "the last day, by UTC, as in 2026-12-31 (default: for ever)" },
      { ...BASELINE, note: "endpoints that are slower than in this recording or file can be accepted, too" },
      ...KNOWN,
    ],
    footnote:
      "weir check lists fingerprints; their first 4 digits are enough if no other has them. An entry with the same fingerprint is replaced.",
    script: "accept.ts",
  },
  {
    name: "experiment",
    summary: "Hold back an endpoint's responses in the running Weir, to learn what waits for them",
    positionals: '"METHOD PATH"',
    options: [
      { name: "loads", value: "N", note: `page loads or walks to time (default: ${USUAL_UNITS})` },
      { name: "levels", value: "MS,MS,MS", note: `how long responses are held (default: ${DEFAULT_LEVELS.join(",")})` },
      {
        name: "client",
        value: "CLIENT",
        note: "only this client's: its address and User-Agent (default: all clients)",
      },
      { name: "confirm", value: null, note: "also hold a method that may change data on the server" },
      DATA_DIR,
    ],
    footnote:
      "Ctrl+C ends the experiment, and all that is held goes out at once. Exit code: 0 a verdict, 6 too few loads to tell.",
    script: "experiment.ts",
  },
  {
    name: "mark",
    summary: "Tell the running Weir that A or B of your program runs from now on, to compare them",
    positionals: "A|B",
    options: [DATA_DIR],
    footnote:
      "Run your program as A, then as B, at least twice each, in turns. Weir restarts nothing. Its view Sessions compares them.",
    script: "mark.ts",
  },
  {
    name: "env",
    summary: "Print the lines that make a terminal use the running Weir",
    positionals: "",
    options: [{ name: "shell", value: SHELLS.join("|"), note: "default: sh; on Windows powershell" }, DATA_DIR],
    script: "env.ts",
  },
  {
    name: "certificate",
    summary: "Print where the root certificate is, its fingerprint, and how to trust it",
    positionals: "",
    options: [DATA_DIR],
    script: "certificate.ts",
  },
  {
    name: "sessions",
    summary: "List the recordings, the newest first; start a new one with a name, or rename one",
    positionals: "[new NAME | rename SESSION NAME]",
    options: [DATA_DIR],
    footnote:
      "new: the running Weir ends its session and begins one with this name. SESSION: an id, a name, current or last.",
    script: "sessions.ts",
  },
  {
    name: "mcp",
    summary: "Serve recordings, read-only, to an AI agent over standard input and output (Model Context Protocol)",
    positionals: "[FILE.har …]",
    options: [DATA_DIR],
    script: "mcp.ts",
  },
  {
    name: "completion",
    summary: "Print the script that lets a shell complete weir",
    positionals: "bash|zsh|fish|powershell",
    options: [DATA_DIR],
    footnote:
      "Evaluate the printed script in the shell's start-up file. The script for PowerShell is not run in our tests.",
    script: "completion.ts",
  },
  { name: "version", summary: "Print Weir's version", positionals: "", options: [], script: null },
  { name: "help", summary: "Explain a command", positionals: "[COMMAND]", options: [], script: null },
] as const satisfies readonly Command[];

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = TABLE;

type Known = (typeof TABLE)[number];

/** The parsed command line of the command `Name`. */
export type ParsedFor<Name extends Known["name"]> = Parsed<Extract<Known, { readonly name: Name }>["options"][number]>;
