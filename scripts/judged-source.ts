import { existsSync, readFileSync } from "node:fs";
import { type OpenedSource, openSource, type Refusal, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { sha256Fingerprint } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { type AcceptedFile, acceptedOf, NOTHING_ACCEPTED } from "../src/engine/budget/accepted.ts";
import type { CompareRecord } from "../src/engine/messages/compare-messages.ts";
import type { EndpointParts } from "../src/engine/model/endpoint.ts";
import type { HostAliases } from "../src/engine/model/host-alias.ts";
import { failure, type Result, success, unwrap } from "../src/engine/model/result.ts";
import { compareRows } from "../src/engine/session/lists/compare-list.ts";
import { figuresOf, type SessionFigures } from "../src/engine/session/lists/figures.ts";
import { readAndClosed } from "./command.ts";

/* What weir check and weir accept read alike. */

export const DEFAULT_ACCEPTED = "weir.accepted.json";

/** The text of a file without a byte order mark; `null` if there is no file. */
export function textIn(file: string): Result<string | null> {
  try {
    // Some editors and PowerShell write a byte order mark, which JSON does not allow (RFC 8259, 8.1).
    return success(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? success(null) : failure(`${file} cannot be read: ${errorText(error)}.`);
  }
}

/** The accepted findings in a file. Without the file: none, or a failure if `isNeeded`. */
export function acceptedIn(file: string, isNeeded: boolean): Result<AcceptedFile> {
  const text = textIn(file);
  if (!text.ok) return text;
  if (text.value === null) return isNeeded ? failure(`There is no file ${file}.`) : success(NOTHING_ACCEPTED);
  const read = acceptedOf(text.value);
  return read.ok ? read : failure(`${file}: ${read.problem}`);
}

/** A HAR file if a file of that name exists, or if the name looks like a path; else a recording. */
export function baselineNamed(name: string, dataDir = defaultDataFolder()): Wanted {
  return existsSync(name) || /\.har$|[\\/]/i.test(name) ? { file: name } : { session: name, dataDir };
}

/** The figures of the session or file to compare with. */
export async function baselineOf(wanted: Wanted): Promise<Result<SessionFigures, Refusal>> {
  const source = await openSource(wanted);
  if (!source.ok) return source;
  const { session, name } = source.value;
  const figures = await readAndClosed(source.value, async () => figuresOf(session));
  return session.table.slowed.isEmpty ? figures : slowedBaseline(name);
}

/** docs/specification.md, Conditions: a slowed session is no baseline. */
function slowedBaseline(name: string): Refusal {
  const problem = `${name} was slowed on purpose, so it is no baseline. Compare with one recorded without conditions.`;
  return { ...failure(problem), code: BAD_USAGE };
}

/** Compares like the window's Compare, with the same settings. */
export function comparedWith(before: SessionFigures, { session, settings }: OpenedSource): readonly CompareRecord[] {
  const pair = { left: before, right: figuresOf(session) };
  return unwrap(compareRows(pair, settings, [], { column: "verdict", descending: true }, EVERY_ROW)).records;
}

const EVERY_ROW = { from: 0, count: Number.POSITIVE_INFINITY };

/** The fingerprint of a slower endpoint: that of the finding "regression" at the endpoint. */
export function regressionFingerprint(aliases: HostAliases): (endpoint: EndpointParts) => string {
  return (endpoint) => sha256Fingerprint(regressionAt(endpoint), aliases);
}

/** A slower endpoint as a finding's identity. */
export function regressionAt({ method, origin, path, operation }: EndpointParts) {
  const endpoint = { method, origin, path, operation };
  return { kind: "regression", endpoint, origin: null, attribute: null } as const;
}
