import { createWriteStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OpenedSource, Refusal, Wanted } from "../extensions/proxy/export/opened-source.ts";
import {
  BAD_USAGE,
  DATA_FOLDER_UNUSABLE,
  INTERNAL_ERROR,
  OUTPUT_UNWRITABLE,
} from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { redactedText } from "../src/engine/interchange/redaction.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import { failure, type Problem, type Result, success } from "../src/engine/model/result.ts";
import { listedBy } from "./command-help.ts";

/**
 * Runs a command that prints and ends, and sets the exit code that `main` returns. `what`: the command's name in the
 * table.
 */
export async function runCommand(what: string, main: () => Promise<number>): Promise<void> {
  // Keeps the process alive, because the timers of `Timeslicer` do not.
  const awake = setInterval(() => {}, 60_000);
  // Temporary folders are removed when the process exits, so these signals must lead to `process.exit`.
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  process.exitCode = await main().catch((error: Error) => codeOfFailure(what, error));
  clearInterval(awake);
}

function codeOfFailure(what: string, error: Error): number {
  if (codeOf(error)?.startsWith("ERR_PARSE_ARGS_") === true) return complain(BAD_USAGE, error.message, listedBy(what));
  return complain(INTERNAL_ERROR, `weir ${what} failed: ${errorText(error)}.`);
}

/**
 * Writes text to a file, or to standard output. Returns `null`, or the exit code of a failure. If there is no piece, an
 * existing file stays as it is.
 */
export async function writeText(
  pieces: AsyncIterable<string> | Iterable<string>,
  out: string | null,
): Promise<number | null> {
  const all = Readable.from(pieces)[Symbol.asyncIterator]();
  const first = await all.next();
  if (first.done === true) return null;
  const target = out === null ? process.stdout : createWriteStream(out, { mode: 0o600 });
  // An error of `target` is reported. An error of `pieces` is thrown.
  let unwritable: unknown = null;
  const failed = (error: unknown) => {
    unwritable = error;
  };
  target.once("error", failed);
  try {
    await pipeline(Readable.from(joined(first.value, all)), target, { end: out !== null });
    return null;
  } catch (error) {
    if (error !== unwritable) throw error;
    return unwritten(out, error as Error);
  } finally {
    target.off("error", failed);
  }
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/**
 * Reports on stderr that output could not be written, and returns the exit code. `null`, and no report, if the reader
 * closed the pipe.
 */
export function unwritten(out: string | null, error: Error): number | null {
  if (codeOf(error) === "EPIPE") return null;
  return complain(OUTPUT_UNWRITABLE, `${out ?? "Standard output"} cannot be written: ${errorText(error)}.`);
}

/** The most omitted entries that are named with their reasons, as in the window. */
const MOST_NAMED = 10;

/** Reports what a command that succeeded could not read. */
export function complainOf({ reader, leftOut, leftOutCount, unreadBodies, name }: OpenedSource): void {
  const named = leftOut.slice(0, MOST_NAMED).map(({ entry, reason }) => ` Entry ${entry}: ${redactedText(reason)}.`);
  const more = leftOutCount - named.length;
  if (more > 0) named.push(` And ${more} more.`);
  if (leftOutCount > 0) complain(0, `${name}: ${leftOutCount} of its entries could not be read.${named.join("")}`);
  if (unreadBodies !== null) complain(0, `${name}: ${unreadBodies}`);
  if (reader.problem !== null) complain(0, `Not everything could be read: ${reader.problem}.`);
}

/**
 * Writes a sentence to stderr, on one line (docs/security.md S15): it may hold the name of a file. `hint`: a text of
 * ours that follows on a line of its own.
 */
export function complain(code: number, sentence: string, hint: string | null = null): number {
  process.stderr.write(`${visibleText(sentence.replaceAll(/\s*\n/g, " "))}\n${hint === null ? "" : `${hint}\n`}`);
  return code;
}

/** Names the first option whose value is empty; `null` if there is none. Only `--filter` may be empty. */
export function emptyAmong(values: Readonly<Record<string, unknown>>): Problem | null {
  const empty = Object.entries(values).find(([name, value]) => value === "" && name !== "filter");
  return empty === undefined ? null : `--${empty[0]} needs a value, but the given one is empty.`;
}

/** What a command reads: HAR files, else a recording. Both together are a failure. */
export function wantedOf(
  files: readonly string[],
  { session, "data-dir": dataDir }: { readonly session?: string | undefined; readonly "data-dir"?: string | undefined },
): Result<readonly Wanted[]> {
  if (files.length === 0) return success([{ session: session ?? "newest", dataDir: dataDir ?? defaultDataFolder() }]);
  if ((session ?? dataDir) !== undefined)
    return failure("Give HAR files, or a recording with --session and --data-dir, not both.");
  return success(files.map((file) => ({ file })));
}

/** A HAR file if a file of that name exists, or if the name looks like a path; else a recording. */
export function sourceNamed(name: string, dataDir: string): Wanted {
  return existsSync(name) || /\.(?:har|zip)$|[\\/]/i.test(name) ? { file: name } : { session: name, dataDir };
}

/**
 * Returns the result of `read`, and closes the source. If `read` returns `null`, the session was deleted meanwhile, and
 * the result is a refusal.
 */
export async function readAndClosed<Value extends object>(
  source: OpenedSource,
  read: () => Promise<Value | null>,
): Promise<Result<Value, Refusal>> {
  try {
    const value = await read();
    if (value !== null) return success(value);
    const problem = `Session ${source.name} was cleared or deleted while it was read.`;
    return { ...failure(problem), code: DATA_FOLDER_UNUSABLE };
  } finally {
    complainOf(source);
    source.close();
  }
}
