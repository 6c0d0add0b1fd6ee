import { createWriteStream, readdirSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type ExportForm, exportText } from "../extensions/proxy/export-text.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import type { SessionFacts } from "../extensions/proxy/storage/session-facts.ts";
import { SettingsFile } from "../extensions/proxy/storage/settings-file.ts";
import {
  listSessions,
  openSession,
  readSessionFigures,
  sessionsFolder,
} from "../extensions/proxy/storage/stored-sessions.ts";
import { StoredFigures } from "../extensions/proxy/stored-figures.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import { EXPORT_TABLES, type ExportTable } from "../src/engine/messages/messages.ts";
import { Baseline } from "../src/engine/session/history.ts";
import { Session } from "../src/engine/session/session.ts";

const USAGE = `npm run export -- --format har|json|csv|md [--table ${EXPORT_TABLES.join("|")} --format json|csv|md]
  --session current|last|ID   which recording (default: the newest)
  --data-dir DIR              where Weir keeps its data
  --filter TEXT               as in the window: status:5xx dur>500 host:api
  --no-redact                 keep cookies, tokens and other secrets
  --out FILE                  instead of standard output`;

/** Reads what was captured from disk, also while Weir runs, and writes it in a form that others read. Gives the exit code. */
async function main(): Promise<number> {
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  const options = optionsOf();
  if (typeof options === "string") return complain(2, `${options}\n${USAGE}`);
  const sessions = listSessions(options.dataDir);
  const facts = sessionOf(sessions, options.session);
  if (facts === null) return complain(4, absence(sessions, options));
  if (!facts.kept) return complain(4, `The exchanges of session ${facts.id} are no longer kept.`);
  const reader = openSession(options.dataDir, facts.id);
  if (typeof reader === "string") return complain(4, `Session ${facts.id} cannot be read: ${reader}.`);
  const { settings } = SettingsFile.open(options.dataDir, false);
  const session = new Session(Number.POSITIVE_INFINITY, settings.groupSimilarPaths);
  for (const event of reader.events(facts.state === "recovered")) session.apply([event]);
  for (const [id, remark] of reader.remarks()) session.remark(id, remark);
  const deleted = `Session ${facts.id} was cleared or deleted while it was exported.`;
  if (reader.isClosed) return complain(4, deleted);
  const figures = new StoredFigures((id) => readSessionFigures(options.dataDir, id));
  const earlier = listSessions(options.dataDir).filter(({ id }) => facts.state === "current" || id < facts.id);
  const baseline = new Baseline(figures.baseline(earlier));
  const text = exportText(
    { session, reader, baseline, settings, version: VERSION },
    options.form,
    options.filter,
    options.redact,
  );
  if (typeof text === "string") return complain(2, text);
  const out = options.out === null ? process.stdout : createWriteStream(options.out, { mode: 0o600 });
  try {
    await pipeline(Readable.from(textsOf(text)), out, { end: options.out !== null });
  } catch (error) {
    if (reader.isClosed) return complain(4, deleted);
    if ((error as NodeJS.ErrnoException).syscall !== "open") throw error;
    return complain(2, `${options.out} cannot be written: ${(error as Error).message}.`);
  } finally {
    reader.close();
  }
  return reader.problem === null ? 0 : complain(0, `Not everything could be read: ${reader.problem}.`);
}

interface Options {
  readonly dataDir: string;
  readonly session: string;
  readonly form: ExportForm;
  readonly filter: string;
  readonly redact: boolean;
  readonly out: string | null;
}

function optionsOf(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        "data-dir": { type: "string" },
        session: { type: "string" },
        format: { type: "string" },
        table: { type: "string" },
        filter: { type: "string" },
        "no-redact": { type: "boolean" },
        out: { type: "string" },
      },
    });
    const empty = Object.entries(values).find(([, value]) => value === "");
    if (empty !== undefined && empty[0] !== "filter") return `--${empty[0]} takes a value, and this one is empty.`;
    const form = formOf(values.format, values.table);
    if (typeof form === "string") return form;
    return {
      dataDir: values["data-dir"] ?? defaultDataFolder(),
      session: values.session ?? "newest",
      form,
      filter: values.filter ?? "",
      redact: !(values["no-redact"] ?? false),
      out: values.out ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function formOf(format: string | undefined, table: string | undefined): ExportForm | string {
  if (table === undefined) {
    if (format === "har" || format === "json" || format === "csv" || format === "md") return { format, table: null };
    return `--format takes har, json, csv or md${format === undefined ? "" : `, not "${format}"`}; with --table json, csv or md.`;
  }
  if (!EXPORT_TABLES.some((name) => name === table))
    return `--table takes ${EXPORT_TABLES.join(", ")}, not "${table}".`;
  if (format !== "json" && format !== "csv" && format !== "md") return "--table needs --format json, csv or md.";
  return { format, table: table as ExportTable };
}

/** `current`: the one being recorded (or cut off by a crash); `last`: the newest that has ended. */
function sessionOf(sessions: readonly SessionFacts[], wanted: string): SessionFacts | null {
  const found = newestFirst(sessions).find(({ id, state }) => {
    if (wanted === "newest") return true;
    if (wanted === "current") return state === "current";
    if (wanted === "last") return state !== "current";
    return id === wanted;
  });
  return found ?? null;
}

/** By their ends, since an imported session has its id by when it was imported; the one being recorded has none yet. */
function newestFirst(sessions: readonly SessionFacts[]): readonly SessionFacts[] {
  const end = ({ endedAt }: SessionFacts) => endedAt ?? Number.POSITIVE_INFINITY;
  return sessions.toReversed().sort((one, other) => (end(one) === end(other) ? 0 : end(other) - end(one)));
}

/** Why there is none such, in words. */
function absence(sessions: readonly SessionFacts[], { dataDir, session }: Options): string {
  const newest = newestFirst(sessions)[0];
  const unreadable = problemOf(dataDir) ?? problemOf(sessionsFolder(dataDir));
  if (newest === undefined && unreadable !== null) return `${dataDir} cannot be read: ${unreadable}.`;
  if (!(statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? false)) return `There is no folder ${dataDir}.`;
  if (newest === undefined) return `Nothing has been recorded in ${dataDir} yet.`;
  if (session === "current") return `Nothing is being recorded in ${dataDir}.`;
  if (session === "last") return `No session has ended yet in ${dataDir}.`;
  return `There is no session "${session}" in ${dataDir}. The newest is ${newest.id}.`;
}

/** Why it cannot be looked into; `null`: it can, or it is no folder. */
function problemOf(folder: string): string | null {
  try {
    readdirSync(folder);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? null : message;
  }
}

async function* textsOf(pieces: AsyncGenerator<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of pieces) yield text;
}

function complain(code: number, sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return code;
}

// The rests within long work hold no process (`Bites`), and here there is nothing else that does.
const awake = setInterval(() => {}, 60_000);
process.exitCode = await main().catch((error: NodeJS.ErrnoException) =>
  // Who reads along may have had enough of it.
  error.code === "EPIPE" ? 0 : complain(70, `The export failed: ${error.message}.`),
);
clearInterval(awake);
