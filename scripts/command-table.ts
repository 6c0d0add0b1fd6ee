import { VERDICT_FORMATS } from "../src/engine/budget/verdict-texts.ts";
import { EXPORT_TABLES } from "../src/engine/messages/exchange-messages.ts";
import { SHELLS } from "../src/engine/quoting/shell.ts";

/** An option of a command, as help lists it. */
interface Option {
  /** The name without dashes. */
  readonly name: string;
  /** A word for the option's value; `null`: the option has no value. */
  readonly value: string | null;
  readonly note: string;
}

/** A command of `weir`. */
export interface Command {
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Arguments of the command that are not options; `""`: none. */
  readonly positionals: string;
  readonly options: readonly Option[];
  /** The last lines of the command's help. */
  readonly footnote?: string;
  /**
   * The script beside this file that runs the command, and the arguments that come first; `null`: `weir` itself
   * answers.
   */
  readonly script: readonly [file: string, ...words: readonly string[]] | null;
}

const START: readonly Option[] = [
  { name: "native", value: null, note: "open a native window (default: if available)" },
  { name: "browser", value: null, note: "open a browser window" },
  { name: "no-open", value: null, note: "open no window, print the window's address" },
  { name: "json", value: null, note: "print one line of JSON when ready" },
  { name: "port", value: "N", note: "the proxy's port (default: 8686, or the next free one)" },
  { name: "listen", value: "ADDR", note: "the proxy's address (default: 127.0.0.1)" },
  { name: "data-dir", value: "DIR", note: "the folder for everything that Weir writes" },
  { name: "ca-cert", value: "FILE", note: "the root certificate to use, with --ca-key (default: a generated one)" },
  { name: "ca-key", value: "FILE", note: "the private key of --ca-cert" },
  { name: "upstream-ca", value: "FILE", note: "also trust this certificate for servers; repeatable" },
  { name: "host-override", value: "NAME=ADDR:PORT", note: "connect to ADDR:PORT for NAME; repeatable" },
  { name: "reverse", value: "PORT=ORIGIN", note: "forward the local PORT to ORIGIN; repeatable" },
  {
    name: "log-level",
    value: "LEVEL",
    note: "info (default), or debug, which also logs each event of a connection to weir.log",
  },
];

const BACKGROUND: Option = {
  name: "background",
  value: null,
  note: "open no window and return when Weir is ready; weir stop ends Weir",
};

const DEMO: Option = { name: "demo", value: null, note: "send sample traffic" };

const READ: readonly Option[] = [
  { name: "session", value: "current|last|ID", note: "the recording to read (default: the newest)" },
  { name: "data-dir", value: "DIR", note: "where Weir keeps its data" },
];

const WRITTEN: readonly Option[] = [
  { name: "no-redact", value: null, note: "keep cookies, tokens and other secrets" },
  { name: "out", value: "FILE", note: "write to this file instead of standard output" },
];

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    name: "start",
    summary: "Start Weir (the default command)",
    positionals: "",
    options: [...START, BACKGROUND, DEMO],
    script: ["start.mjs"],
  },
  {
    name: "demo",
    summary: "Start Weir with sample traffic",
    positionals: "",
    options: START,
    script: ["start.mjs", "--demo"],
  },
  {
    name: "stop",
    summary: "End the running Weir, as Ctrl+C does",
    positionals: "",
    options: [{ name: "data-dir", value: "DIR", note: "where the running Weir keeps its data" }],
    script: ["stop.ts"],
  },
  {
    name: "report",
    summary: "List what makes traffic slow, the costliest cause first",
    positionals: "[FILE.har …]",
    options: [...READ, { name: "format", value: "text|json|md|html", note: "default: text" }, ...WRITTEN],
    footnote: "JSON is an object for one file and a list for several. HTML is one self-contained page.",
    script: ["report.ts"],
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
    script: ["export.ts"],
  },
  {
    name: "check",
    summary: "Check a recording or HAR files against a budget; the exit code is the result",
    positionals: "[FILE.har …]",
    options: [
      ...READ,
      { name: "budget", value: "FILE", note: "the limits (default: weir.budget.json)" },
      {
        name: "baseline",
        value: "FILE.har|SESSION",
        note: "also check whether endpoints are slower than in this recording or file",
      },
      { name: "format", value: VERDICT_FORMATS.join("|"), note: "default: text" },
      { name: "out", value: "FILE", note: "write to this file instead of standard output" },
    ],
    footnote:
      "Exit code: 0 all limits kept, 1 a limit broken or an endpoint slower, 6 too few requests to judge a limit. --baseline needs no budget.",
    script: ["check.ts"],
  },
  {
    name: "env",
    summary: "Print the lines that make a terminal use the running Weir",
    positionals: "",
    options: [
      { name: "shell", value: SHELLS.join("|"), note: "default: sh; on Windows powershell" },
      { name: "data-dir", value: "DIR", note: "where Weir keeps its data" },
    ],
    script: ["env.ts"],
  },
  {
    name: "certificate",
    summary: "Print where the root certificate is, its fingerprint, and how to trust it",
    positionals: "",
    options: [{ name: "data-dir", value: "DIR", note: "where Weir keeps its data" }],
    script: ["certificate.ts"],
  },
  {
    name: "sessions",
    summary: "List the recordings, the newest first",
    positionals: "",
    options: [{ name: "data-dir", value: "DIR", note: "where Weir keeps its data" }],
    script: ["sessions.ts"],
  },
  {
    name: "mcp",
    summary: "Serve recordings, read-only, to an AI agent over standard input and output (Model Context Protocol)",
    positionals: "[FILE.har …]",
    options: [{ name: "data-dir", value: "DIR", note: "where Weir keeps its data" }],
    script: ["mcp.ts"],
  },
  {
    name: "completion",
    summary: "Print the script that lets a shell complete weir",
    positionals: "bash|zsh|fish|powershell",
    options: [],
    footnote:
      "Evaluate the printed script in the shell's start-up file. The script for PowerShell is not run in our tests.",
    script: ["completion.ts"],
  },
  { name: "version", summary: "Print Weir's version", positionals: "", options: [], script: null },
  { name: "help", summary: "Explain a command", positionals: "[COMMAND]", options: [], script: null },
];
