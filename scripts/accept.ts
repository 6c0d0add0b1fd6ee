import { statSync } from "node:fs";
import type { Wanted } from "../extensions/proxy/export/opened-source.ts";
import type { ComparisonSide } from "../extensions/proxy/export/source-comparison.ts";
import { BAD_USAGE, OUTPUT_UNWRITABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { writePrivateFile } from "../extensions/proxy/storage/private-file.ts";
import { type AcceptedEntry, acceptedText, untilOf, withAccepted } from "../src/engine/budget/accepted-file.ts";
import { acceptableIn, acceptedCostOf } from "../src/engine/budget/accepted-growth.ts";
import { type Candidate, chosenFrom } from "../src/engine/budget/chosen-fingerprints.ts";
import { identityText } from "../src/engine/interchange/fingerprint.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import { type HostAliases, hostAliasesOf } from "../src/engine/model/host-alias.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import { complain, emptyAmong, sourceNamed, wantedOf, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";
import {
  acceptedIn,
  baselineOf,
  comparedWith,
  DEFAULT_ACCEPTED,
  readEach,
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
  const candidates = await readEach(wanted, before?.value ?? null, aliases, (side) =>
    candidatesIn(side, before?.value ?? null, aliases),
  );
  if (!candidates.ok) return complain(candidates.code, candidates.problem);
  const accepted = chosenFrom(candidates.value.flat(), chosen);
  if (!accepted.ok) return complain(BAD_USAGE, accepted.problem);
  const entries = accepted.value.map(({ fingerprint, finding, cost }): AcceptedEntry => {
    return { fingerprint, finding, reason, ...(until === null ? {} : { until }), cost };
  });
  const problem = writePrivateFile(file, acceptedText(withAccepted(known.value, entries)), modeOf(file));
  if (problem !== null) return complain(OUTPUT_UNWRITABLE, `${problem}.`);
  const days = new Map(known.value.accepted.map((entry) => [entry.fingerprint, entry.until]));
  const lines = accepted.value.map(({ fingerprint, finding, count }) => {
    const day = days.get(fingerprint);
    const wasLimited = until === null && day !== undefined;
    return `  ${fingerprint}  ${visibleText(finding)}${count === 1 ? "" : ` (${count} findings)`}${wasLimited ? ` (without a last day now, before: ${day})` : ""}\n`;
  });
  return (await writeText([`Accepted in ${visibleText(file)}:\n`, ...lines], null)) ?? 0;
}

function candidatesIn(side: ComparisonSide, before: ComparisonSide | null, aliases: HostAliases): readonly Candidate[] {
  const compared = before === null ? [] : comparedWith(before, side, aliases).compared;
  const fingerprintOf = regressionFingerprint(aliases);
  const costs = acceptableIn(side.report, side.figures.endpoints, fingerprintOf);
  const slower = compared.filter(({ verdict }) => verdict === "slower");
  const candidateOf = (fingerprint: string, finding: string): Candidate => {
    return { fingerprint, finding, cost: acceptedCostOf(costs.get(fingerprint) ?? { cost: null, latencies: null }) };
  };
  return [
    ...side.report.findings.map((one) => candidateOf(one.fingerprint ?? "", identityText(one, aliases))),
    ...slower.map((one) => candidateOf(fingerprintOf(one), identityText(regressionAt(one), aliases))),
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
  const baseline =
    values.baseline === undefined ? null : sourceNamed(values.baseline, values["data-dir"] ?? defaultDataFolder());
  const isOfBaseline = files.length > 0 && baseline !== null && "session" in baseline;
  const wanted = wantedOf(files, isOfBaseline ? { session: values.session } : values);
  if (!wanted.ok) return wanted;
  return success({
    wanted: wanted.value,
    chosen: all ? null : chosen,
    reason,
    until: until.value,
    baseline,
    aliases: aliases.value,
    file: values.accepted ?? DEFAULT_ACCEPTED,
  });
}
