import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { openSource, type Refusal, type Wanted } from "../extensions/proxy/export/opened-source.ts";
import {
  type ComparisonSide,
  comparisonSideOf,
  sourceComparisonOf,
} from "../extensions/proxy/export/source-comparison.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { comparisonMarkdown, comparisonText } from "../src/engine/interchange/comparison-report.ts";
import { visibleJson } from "../src/engine/interchange/table.ts";
import { type HostAliases, hostAliasesOf } from "../src/engine/model/host-alias.ts";
import type { Result } from "../src/engine/model/result.ts";
import { complain, emptyAmong, readAndClosed, sourceNamed, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";

const FORMATS = ["text", "md", "json"] as const;

/** Compares two recordings or HAR files, the earlier one first. Returns the exit code. */
export async function main({ values, positionals }: ParsedFor<"compare">): Promise<number> {
  const refuse = (problem: string) => complain(BAD_USAGE, problem, listedBy("compare"));
  const empty = emptyAmong(values);
  if (empty !== null) return refuse(empty);
  const format = FORMATS.find((known) => known === (values.format ?? "text"));
  if (format === undefined) return refuse(`--format takes ${FORMATS.join(", ")}, not "${values.format}".`);
  const [first, second, ...more] = positionals;
  if (first === undefined || second === undefined || more.length > 0)
    return refuse("weir compare takes two recordings or HAR files: the earlier one, then the later one.");
  const aliases = hostAliasesOf(values["host-alias"] ?? []);
  if (!aliases.ok) return refuse(`--host-alias: ${aliases.problem}`);
  const dataDir = values["data-dir"] ?? defaultDataFolder();
  const sides: (ComparisonSide & { readonly identity: string })[] = [];
  for (const name of [first, second]) {
    const side = await sideOf(sourceNamed(name, dataDir), aliases.value);
    if (!side.ok) return complain(side.code, side.problem);
    sides.push(side.value);
  }
  const [before, now] = sides as [ComparisonSide & { identity: string }, ComparisonSide & { identity: string }];
  if (before.identity === now.identity)
    return complain(BAD_USAGE, `${first} and ${second} are the same recording, so there is nothing to compare.`);
  const report = sourceComparisonOf(before, now, !(values["no-redact"] ?? false), aliases.value);
  const pieces = { text: comparisonText, md: comparisonMarkdown, json: () => [jsonOf(report)] }[format](report);
  return (await writeText(pieces, values.out ?? null)) ?? 0;
}

function jsonOf(report: object): string {
  return `${visibleJson(JSON.stringify(report, null, 2))}\n`;
}

/** Reads one side. `identity`: equal for the same file or session, however it is named. */
async function sideOf(
  wanted: Wanted,
  aliases: HostAliases,
): Promise<Result<ComparisonSide & { readonly identity: string }, Refusal>> {
  const source = await openSource(wanted);
  if (!source.ok) return source;
  const { name } = source.value;
  const identity = "file" in wanted ? realpathSync(wanted.file) : JSON.stringify([resolve(wanted.dataDir), name]);
  return await readAndClosed(source.value, async () => {
    const side = await comparisonSideOf(source.value, aliases);
    return side === null ? null : { ...side, identity };
  });
}
