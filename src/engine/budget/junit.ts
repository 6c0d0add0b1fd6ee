import { visibleText } from "../interchange/table.ts";
import { goneText, sentenceOf } from "./sentences.ts";
import type { Judged, Verdict } from "./verdict.ts";

/**
 * JUnit XML for CI servers, as Jenkins' junit-10.xsd has it: broken limits fail; limits without a verdict, accepted and
 * known findings are skipped; findings that are gone pass. A case's time in seconds is the measured time, for a finding
 * what it costs; 0 where there is none.
 */
export function junitOf(all: readonly Judged[]): string {
  const suites = all.map(({ source, verdicts, gone }) => {
    const cases = [
      ...verdicts.map((one) => caseOf(nameOf(one), secondsOf([one]), elementOf(one))),
      ...gone.map((one) => {
        const text = `<system-out>${escapedXml(`gone: ${goneText(one)}`)}</system-out>`;
        return caseOf(findingName(one.kind, one.fingerprint), secondsOf([]), text);
      }),
    ];
    const counts = countsOf(verdicts, gone.length);
    const head = `  <testsuite name="${escapedXml(source)}" ${counts} time="${secondsOf(verdicts)}">`;
    return `${head}\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function caseOf(name: string, seconds: string, content: string): string {
  return `    <testcase classname="weir.budget" name="${escapedXml(name)}" time="${seconds}">${content}</testcase>\n`;
}

function nameOf({ what, subject, fingerprint }: Verdict): string {
  if (what !== "finding") return `${subject} ${what}`;
  return fingerprint === null ? `no ${subject}` : findingName(subject, fingerprint);
}

/** The fingerprint tells findings of one kind apart, and lets CI servers follow one over runs. */
function findingName(kind: string, fingerprint: string): string {
  return `no ${kind} ${fingerprint}`;
}

function countsOf(verdicts: readonly Verdict[], gone: number): string {
  const failures = verdicts.filter(({ outcome }) => outcome === "broken").length;
  const kept = verdicts.filter(({ outcome }) => outcome === "kept").length;
  const skipped = verdicts.length - failures - kept;
  return `tests="${verdicts.length + gone}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

/** Why the case failed or was skipped, with the evidence; "" if the limit is kept. */
function elementOf(verdict: Verdict): string {
  const { outcome, what, evidence } = verdict;
  if (outcome === "kept") return "";
  const head = `type="${escapedXml(what)}" message="${escapedXml(sentenceOf(verdict))}"`;
  const name = outcome === "broken" ? "failure" : "skipped";
  if (evidence.length === 0) return `<${name} ${head}/>`;
  const lines = evidence.map((figure) => `${escapedXml(`${figure.name}: ${figure.value}`)}\n`);
  return `<${name} ${head}>${lines.join("")}</${name}>`;
}

/** Whether a verdict's figure is a time in ms. */
const TIMED: ReadonlySet<Verdict["what"]> = new Set(["p50", "p95", "p99", "load p95"]);

function secondsOf(verdicts: readonly Verdict[]): string {
  const timeOf = ({ what, measured, time }: Verdict) => (TIMED.has(what) ? measured : time) ?? 0;
  const sum = verdicts.reduce((time, verdict) => time + timeOf(verdict), 0);
  return (sum / 1_000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapedXml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
}
