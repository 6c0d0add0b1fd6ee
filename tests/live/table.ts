import type { CauseVerdict, Judged } from "./judge.ts";

/** The bounds of the suite: shares and counts. */
const LEAST_RECALL = 0.9;
const LEAST_NEAR = 0.8;
const MOST_WRONG = 0.1;
const MOST_ACCUSED = 1 / 20;

/** How far a cost may be from the truth, and above which factor it must say that it is a bound. */
const NEAR = 0.3;
const FAR = 1.5;

/** Prints the verdicts and the totals; returns whether all bounds hold. */
export function printTable(judged: readonly Judged[], failed: readonly string[]): boolean {
  const print = (line: string): unknown => process.stdout.write(`${line}\n`);
  print(
    "case                       draw cause                rank kind                        claimed  logged   saved",
  );
  for (const { name, draw, causes } of judged) {
    if (causes.length === 0) print(`${name.padEnd(26)} ${String(draw).padStart(4)} healthy`);
    for (const cause of causes) print(`${name.padEnd(26)} ${String(draw).padStart(4)} ${rowOf(cause)}`);
  }
  for (const { name, draw, wrong, repeated, accusedWithout, missing, links, story } of judged) {
    if (wrong.length + accusedWithout.length > 0) print(`\n${name} ${draw}: ${story}`);
    for (const finding of wrong) print(`  false: ${finding.kind} ${ms(finding.time)}: ${finding.summary}`);
    for (const finding of accusedWithout)
      print(`  false without the cause: ${finding.kind} ${ms(finding.time)}: ${finding.summary}`);
    for (const finding of repeated)
      print(`  ${name} ${draw}, second finding: ${finding.kind} ${ms(finding.time)}: ${finding.summary}`);
    for (const example of links.examples) print(`  ${name} ${draw}, false link: ${example}`);
    if (links.needed > 0)
      print(
        `  ${name} ${draw}, needed answers: ${links.needed}, proven ${links.found}; false proven links: ${links.wrongProven}`,
      );
    if (missing.length > 0) print(`  ${name} ${draw}, not in the recording: ${missing.length}, such as ${missing[0]}`);
  }
  for (const reason of failed) print(`FAILED ${reason}`);
  print("");
  return totalsOf(judged)
    .map(({ text, holds }) => {
      print(`${text}${holds ? "" : "  NOT MET"}`);
      return holds;
    })
    .every(Boolean);
}

function rowOf({ name, rank, kind, claimed, isBound, logged, saved }: CauseVerdict): string {
  const claim = `${isBound ? "<=" : ""}${ms(claimed)}`;
  return `${name.padEnd(20)} ${String(rank ?? "-").padStart(4)} ${(kind ?? "-").padEnd(26)} ${claim.padStart(8)} ${ms(logged).padStart(7)} ${ms(saved).padStart(7)}`;
}

const ms = (value: number | null): string => (value === null ? "-" : String(Math.round(value)));

interface Total {
  readonly text: string;
  readonly holds: boolean;
}

function totalsOf(judged: readonly Judged[]): readonly Total[] {
  const [ill, sound] = [
    judged.filter(({ causes }) => causes.length > 0),
    judged.filter(({ causes }) => causes.length === 0),
  ];
  const causes = ill.flatMap((one) => one.causes);
  const ranked = (most: number): number => causes.filter(({ rank }) => rank !== null && rank <= most).length;
  const named = causes.flatMap((cause) => {
    const truth = cause.logged ?? cause.saved;
    return cause.claimed === null || truth === null ? [] : [{ ...cause, factor: cause.claimed / truth }];
  });
  const near = named.filter(({ factor }) => Math.abs(factor - 1) <= NEAR).length;
  const far = named.filter(({ factor, isBound }) => factor > FAR && !isBound).length;
  const wrong = ill.reduce((sum, one) => sum + one.wrong.length, 0);
  const accused = sound.filter((one) => one.wrong.length > 0).length;
  const pairs = ill.filter(({ hasSessionWithout }) => hasSessionWithout);
  const accusedPairs = pairs.filter(({ accusedWithout }) => accusedWithout.length > 0).length;
  const link = (key: Exclude<keyof Judged["links"], "examples">): number =>
    judged.reduce((sum, { links }) => sum + links[key], 0);
  const told = (text: string): Total => ({ text, holds: true });
  return [
    told(`recall@1: ${ranked(1)} of ${causes.length}`),
    { text: `recall@3: ${ranked(3)} of ${causes.length}`, holds: ranked(3) >= LEAST_RECALL * causes.length },
    { text: `cost within 30 %: ${near} of ${named.length} named`, holds: near >= LEAST_NEAR * named.length },
    { text: `cost above 1.5 times the truth without "up to": ${far}`, holds: far === 0 },
    {
      text: `false findings: ${wrong} in ${ill.length} sessions with a cause`,
      holds: wrong <= MOST_WRONG * ill.length,
    },
    { text: `accused: ${accused} of ${sound.length} healthy sessions`, holds: accused <= MOST_ACCUSED * sound.length },
    told(`accused: ${accusedPairs} of ${pairs.length} sessions whose only cause was switched off`),
    told(`second findings of one cause: ${ill.reduce((sum, one) => sum + one.repeated.length, 0)}`),
    { text: `proven links: ${link("proven")}, of them false ${link("wrongProven")}`, holds: link("wrongProven") === 0 },
    told(`needed answers: ${link("needed")}, of them proven ${link("found")}`),
    told(`sequential links: ${link("sequential")}, of them false ${link("wrongSequential")}`),
  ];
}
