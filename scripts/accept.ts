import { statSync } from "node:fs";
import { type OpenedSource, openSource, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import { reportWithLoads } from "../extensions/proxy/export/session-report.ts";
import { BAD_USAGE, OUTPUT_UNWRITABLE } from "../extensions/proxy/process/exit-codes.ts";
import { writePrivateFile } from "../extensions/proxy/storage/private-file.ts";
import { type AcceptedEntry, acceptedText, untilOf, withAccepted } from "../src/engine/budget/accepted.ts";
import { type Candidate, chosenFrom } from "../src/engine/budget/candidates.ts";
import { regressionsOf } from "../src/engine/budget/regressions.ts";
import { identityText } from "../src/engine/interchange/fingerprint.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import { type HostAliases, hostAliasesOf } from "../src/engine/model/host-alias.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { complain, emptyAmong, readAndClosed, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";
import {
  acceptedIn,
  baselineNamed,
  baselineOf,
  comparedWith,
  DEFAULT_ACCEPTED,
  type Earlier,
  mismatchOf,
  regressionAt,
  regressionFingerprint,
} from "./judged-source.ts";

interface Options {
  readonly wanted: readonly Wanted[];
  /** Fingerprints or the first digits of some; `null`: all findings. */
  readonly chosen: readonly string[] | null;
  readonly reason: string;
  readonly until: string | null;
  readonly baseline: Wanted | null;
  readonly aliases: HostAliases;
  readonly file: string;
}

/** Writes findings into the accepted file. Returns the exit code. */
export async function main(given: ParsedFor<"accept">): Promise<number> {
  const read = optionsOf(given);
  if (!read.ok) return complain(BAD_USAGE, read.problem, listedBy("accept"));
  const { wanted, chosen, reason, until, baseline, aliases, file } = read.value;
  const known = acceptedIn(file, false);
  if (!known.ok) return complain(BAD_USAGE, known.problem);
  const before = baseline === null ? null : await baselineOf(baseline, aliases);
  if (before !== null && !before.ok) return complain(before.code, before.problem);
  const candidates: Candidate[] = [];
  for (const one of wanted) {
    const source = await openSource(one);
    if (!source.ok) return complain(source.code, source.problem);
    const mismatch = before === null ? null : mismatchOf(before.value, source.value, aliases);
    if (mismatch !== null) {
      source.value.close();
      return complain(BAD_USAGE, mismatch);
    }
    const found = await readAndClosed(source.value, () => candidatesIn(source.value, before?.value ?? null, aliases));
    if (!found.ok) return complain(found.code, found.problem);
    candidates.push(...found.value);
  }
  const accepted = chosenFrom(candidates, chosen);
  if (!accepted.ok) return complain(BAD_USAGE, accepted.problem);
  const entries = accepted.value.map(({ fingerprint, finding }): AcceptedEntry => {
    return { fingerprint, finding, reason, ...(until === null ? {} : { until }) };
  });
  const problem = writePrivateFile(file, acceptedText(withAccepted(known.value, entries)), modeOf(file));
  if (problem !== null) return complain(OUTPUT_UNWRITABLE, `${problem}.`);
  const lines = accepted.value.map(({ fingerprint, finding, count }) => {
    return `  ${fingerprint}  ${visibleText(finding)}${count === 1 ? "" : ` (${count} findings)`}\n`;
  });
  return (await writeText([`Accepted in ${visibleText(file)}:\n`, ...lines], null)) ?? 0;
}

async function candidatesIn(
  source: OpenedSource,
  before: Earlier | null,
  aliases: HostAliases,
): Promise<readonly Candidate[] | null> {
  const read = await reportWithLoads(source, true, aliases);
  if (read === null) return null;
  const compared = before === null ? [] : comparedWith(before, source, read, aliases).compared;
  const fingerprint = regressionFingerprint(aliases);
  const slower: readonly (string | null)[] = regressionsOf(compared, fingerprint)
    .verdicts.filter(({ outcome }) => outcome === "broken")
    .map((verdict) => verdict.fingerprint);
  return [
    ...read.report.findings.map((finding) => ({
      fingerprint: finding.fingerprint ?? "",
      finding: identityText(finding, aliases),
    })),
    ...compared
      .map((endpoint) => ({
        fingerprint: fingerprint(endpoint),
        finding: identityText(regressionAt(endpoint), aliases),
      }))
      .filter((one) => slower.includes(one.fingerprint)),
  ];
}

/** The mode of an existing file; else that of any file that the user creates, since a repository's files are shared. */
function modeOf(file: string): number {
  const existing = statSync(file, { throwIfNoEntry: false });
  return existing === undefined ? 0o666 & ~process.umask() : existing.mode & 0o777;
}

const DIGITS = /^[0-9a-f]{4,16}$/;

function optionsOf({ values, positionals }: ParsedFor<"accept">): Result<Options> {
  const problem = emptyAmong(values);
  if (problem !== null) return failure(problem);
  const words = positionals.map((word) => (DIGITS.test(word.toLowerCase()) ? word.toLowerCase() : word));
  const chosen = words.filter((word) => DIGITS.test(word));
  const files = words.filter((word) => !DIGITS.test(word));
  const { all = false } = values;
  if (all && chosen.length > 0) return failure("Give fingerprints or --all, not both.");
  if (!all && chosen.length === 0)
    return failure("Give the fingerprint of a finding, as weir check lists it, or --all for every finding.");
  const reason = values.reason?.trim() ?? "";
  if (reason === "") return failure("--reason says why the findings are accepted, and is needed.");
  const today = new Date().toISOString().slice(0, "2026-12-31".length);
  const until = values.until === undefined ? success(null) : untilOf(values.until, today);
  if (!until.ok) return until;
  const aliases = hostAliasesOf(values["host-alias"] ?? []);
  if (!aliases.ok) return failure(`--host-alias: ${aliases.problem}`);
  const baseline = values.baseline === undefined ? null : baselineNamed(values.baseline, values["data-dir"]);
  const isOfBaseline = files.length > 0 && baseline !== null && "session" in baseline;
  const wanted = wantedOf(files, isOfBaseline ? { session: values.session } : values);
  if (!wanted.ok) return wanted;
  return success({
    ...{ wanted: wanted.value, chosen: all ? null : chosen, reason, until: until.value, baseline },
    ...{ aliases: aliases.value, file: values.accepted ?? DEFAULT_ACCEPTED },
  });
}
