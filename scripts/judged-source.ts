import { closeSync, existsSync, openSync, readSync, realpathSync } from "node:fs";
import { type OpenedSource, openSource, type Refusal, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { sha256Fingerprint } from "../extensions/proxy/export/session-report.ts";
import { type ComparisonSide, comparedPair, comparisonSideOf } from "../extensions/proxy/export/source-comparison.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { type AcceptedFile, acceptedOf, NOTHING_ACCEPTED } from "../src/engine/budget/accepted-file.ts";
import type { ComparedSides } from "../src/engine/budget/verdict-changes.ts";
import { bandsOf } from "../src/engine/insights/trends.ts";
import type { EndpointParts } from "../src/engine/model/endpoint.ts";
import type { HostAliases } from "../src/engine/model/host-alias.ts";
import { failure, type Problem, type Result, success } from "../src/engine/model/result.ts";
import type { Bytes } from "../src/engine/model/units.ts";
import { loadsNamedAs } from "../src/engine/session/lists/figures.ts";
import { readAndClosed } from "./command.ts";

/* What weir check and weir accept read alike. */

export const DEFAULT_ACCEPTED = "weir.accepted.json";

/** The most bytes of a budget, or of accepted findings; some 10,000 limits. */
const MOST_BYTES: Bytes = 1024 * 1024;

/** The text of a file of at most 1 MB, without a byte order mark; `null` if there is no file. */
export function textIn(file: string): Result<string | null> {
  try {
    const bytes = beginningOf(file, MOST_BYTES + 1);
    if (bytes.length > MOST_BYTES) return failure(`${file} is larger than 1 MB.`);
    // Some editors and PowerShell write a byte order mark, which JSON does not allow (RFC 8259, 8.1).
    return success(bytes.toString("utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? success(null) : failure(`${file} cannot be read: ${errorText(error)}.`);
  }
}

/** The first bytes of a file, at most `most`, since a pipe or a device may have no end. */
function beginningOf(path: string, most: Bytes): Buffer {
  const bytes = Buffer.alloc(most);
  const file = openSync(path, "r");
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read)
      read = readSync(file, bytes, length, most - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
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

/** Whether both are one file, by whatever path. */
export function isSameFile(one: Wanted, other: Wanted): boolean {
  if (!("file" in one && "file" in other)) return false;
  const [left, right] = [one.file, other.file].map((path) => (existsSync(path) ? realpathSync(path) : null));
  return left !== null && left === right;
}

/** Reads the session or file to compare with. */
export async function baselineOf(wanted: Wanted, aliases: HostAliases): Promise<Result<ComparisonSide, Refusal>> {
  const source = await openSource(wanted);
  if (!source.ok) return source;
  const read = await readAndClosed(source.value, () => comparisonSideOf(source.value, aliases));
  return read.ok && read.value.compared.slowed ? slowedBaseline(source.value.name) : read;
}

/**
 * What `body` makes of each source, in turn. A refusal if one cannot be read, or the baseline is of another product.
 */
export async function readEach<Value>(
  wanted: readonly Wanted[],
  before: ComparisonSide | null,
  aliases: HostAliases,
  body: (side: ComparisonSide, source: OpenedSource) => Value,
): Promise<Result<readonly Value[], Refusal>> {
  const all: Value[] = [];
  for (const one of wanted) {
    const source = await openSource(one);
    if (!source.ok) return source;
    const read = await readAndClosed(source.value, async (): Promise<Result<Value, Refusal> | null> => {
      const side = await comparisonSideOf(source.value, aliases);
      if (side === null) return null;
      const mismatch = before === null ? null : mismatchOf(before, side);
      return mismatch === null ? success(body(side, source.value)) : { ...failure(mismatch), code: BAD_USAGE };
    });
    if (!read.ok) return read;
    if (!read.value.ok) return read.value;
    all.push(read.value.value);
  }
  return success(all);
}

/** The most hosts that a sentence names. */
const MOST_HOSTS = 3;

/** Why the baseline cannot be compared with the source; `null` if it can. Without requests there is nothing to tell. */
export function mismatchOf(before: ComparisonSide, now: ComparisonSide): Problem | null {
  const [earlier, here] = [before.hosts, now.hosts];
  if (here.size === 0 || earlier.size === 0 || [...here].some((host) => earlier.has(host))) return null;
  const named = (all: ReadonlySet<string>) =>
    `${[...all].sort().slice(0, MOST_HOSTS).join(", ")}${all.size > MOST_HOSTS ? " …" : ""}`;
  return `The baseline ${before.compared.source} is of another product: it has no host of ${now.compared.source}. Its hosts: ${named(earlier)}; here: ${named(here)}. If they are the same, say so with --host-alias.`;
}

/** docs/specification.md, Conditions: a slowed session is no baseline. */
function slowedBaseline(name: string): Refusal {
  const problem = `${name} was slowed on purpose, so it is no baseline. Compare with one recorded without conditions.`;
  return { ...failure(problem), code: BAD_USAGE };
}

/** Both sides of a source and its baseline, compared like in the window, with the same settings. */
export function comparedWith(before: ComparisonSide, now: ComparisonSide, aliases: HostAliases): ComparedSides {
  const { left, records, findings } = comparedPair(before, now, aliases);
  return {
    compared: records,
    findings,
    bands: bandsOf(now.settings),
    before: { endpoints: left.endpoints, loads: loadsNamedAs(now.loads, before.loads, aliases) },
    now: { endpoints: now.figures.endpoints, loads: now.loads },
  };
}

/** The fingerprint of a slower endpoint: that of the finding "regression" at the endpoint. */
export function regressionFingerprint(aliases: HostAliases): (endpoint: EndpointParts) => string {
  return (endpoint) => sha256Fingerprint(regressionAt(endpoint), aliases);
}

/** A slower endpoint as a finding's identity. */
export function regressionAt({ method, origin, path, operation }: EndpointParts) {
  const endpoint = { method, origin, path, operation };
  return { kind: "regression", endpoint, origin: null, attribute: null } as const;
}
