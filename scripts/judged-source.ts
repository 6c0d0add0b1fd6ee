import { existsSync, readFileSync, realpathSync } from "node:fs";
import { type OpenedSource, openSource, type Refusal, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportWithLoads, sha256Fingerprint } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { codeOf, errorText } from "../extensions/proxy/storage/private-file.ts";
import { type AcceptedFile, acceptedOf, NOTHING_ACCEPTED } from "../src/engine/budget/accepted.ts";
import type { ComparedSide, ComparedSides } from "../src/engine/budget/changes.ts";
import { bandsOf } from "../src/engine/insights/trends.ts";
import { type EndpointParts, partsOf } from "../src/engine/model/endpoint.ts";
import { aliasedHostOf, type HostAliases } from "../src/engine/model/host-alias.ts";
import { failure, type Problem, type Result, success, unwrap } from "../src/engine/model/result.ts";
import type { ReportWithLoads } from "../src/engine/report/session-report.ts";
import { figuresNamedAs, loadsNamedAs } from "../src/engine/session/lists/aliased-figures.ts";
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

/** Whether both are one file, by whatever path. */
export function isSameFile(one: Wanted, other: Wanted): boolean {
  if (!("file" in one && "file" in other)) return false;
  const [left, right] = [one.file, other.file].map((path) => (existsSync(path) ? realpathSync(path) : null));
  return left !== null && left === right;
}

/** What a baseline had. */
export interface Earlier extends Omit<ComparedSide, "endpoints"> {
  /** The file's path as given, or the session's id. */
  readonly name: string;
  readonly figures: SessionFigures;
  /** The hosts of its counted requests, by alias. */
  readonly hosts: ReadonlySet<string>;
}

/** Reads the session or file to compare with. */
export async function baselineOf(wanted: Wanted, aliases: HostAliases): Promise<Result<Earlier, Refusal>> {
  const source = await openSource(wanted);
  if (!source.ok) return source;
  const { session, name } = source.value;
  const read = await readAndClosed(source.value, async () => {
    const read = await reportWithLoads(source.value, true, aliases);
    if (read === null) return null;
    const { findings, exchanges: requests } = read.report;
    const hosts = hostsIn(source.value, aliases);
    return { name, figures: figuresOf(session), findings, loads: read.loads, requests, hosts };
  });
  return session.table.slowed.isEmpty ? read : slowedBaseline(name);
}

function hostsIn({ session }: OpenedSource, aliases: HostAliases): ReadonlySet<string> {
  return new Set(session.tallies.counted().map(({ endpoint }) => aliasedHostOf(partsOf(endpoint).origin, aliases)));
}

/** The most hosts that a sentence names. */
const MOST_HOSTS = 3;

/** Why the baseline cannot be compared with the source; `null` if it can. Without requests there is nothing to tell. */
export function mismatchOf(before: Earlier, source: OpenedSource, aliases: HostAliases): Problem | null {
  const hosts = hostsIn(source, aliases);
  if (hosts.size === 0 || before.hosts.size === 0 || [...hosts].some((host) => before.hosts.has(host))) return null;
  const named = (all: ReadonlySet<string>) =>
    `${[...all].sort().slice(0, MOST_HOSTS).join(", ")}${all.size > MOST_HOSTS ? " …" : ""}`;
  return `The baseline ${before.name} is of another product: it has no host of ${source.name}. Its hosts: ${named(before.hosts)}; here: ${named(hosts)}. If they are the same, say so with --host-alias.`;
}

/** docs/specification.md, Conditions: a slowed session is no baseline. */
function slowedBaseline(name: string): Refusal {
  const problem = `${name} was slowed on purpose, so it is no baseline. Compare with one recorded without conditions.`;
  return { ...failure(problem), code: BAD_USAGE };
}

/** Both sides of a source and its baseline, compared like in the window, with the same settings. */
export function comparedWith(
  before: Earlier,
  { session, settings }: OpenedSource,
  { report: { findings, exchanges }, loads }: ReportWithLoads,
  aliases: HostAliases,
): ComparedSides {
  const right = figuresOf(session);
  const left = figuresNamedAs(right, before.figures, aliases);
  const sort = { column: "verdict", descending: true } as const;
  const { records } = unwrap(compareRows({ left, right }, settings, [], sort, EVERY_ROW));
  return {
    ...{ compared: records, bands: bandsOf(settings) },
    before: {
      endpoints: left.endpoints,
      findings: before.findings,
      loads: loadsNamedAs(loads, before.loads, aliases),
      requests: before.requests,
    },
    now: { endpoints: right.endpoints, findings, loads, requests: exchanges },
  };
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
