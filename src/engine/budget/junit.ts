import { visibleText } from "../interchange/table.ts";
import { sentenceOf } from "./sentences.ts";
import type { Judged, Verdict } from "./verdict.ts";

/**
 * JUnit XML for CI servers, as Jenkins' junit-10.xsd has it: broken limits fail; limits without a verdict, accepted and
 * known findings are skipped. A case's time is the measured time in seconds; 0 where the limit is no time.
 */
export function junitOf(all: readonly Judged[]): string {
  const suites = all.map(({ source, verdicts }) => {
    const cases = verdicts.map((verdict) => {
      const { what, subject, fingerprint } = verdict;
      // Findings of one kind are told apart, and followed over runs.
      const identity = what === "finding" && fingerprint !== null ? ` ${fingerprint}` : "";
      const name = what === "finding" ? `no ${subject}${identity}` : `${subject} ${what}`;
      const head = `    <testcase classname="weir.budget" name="${escapedXml(name)}" time="${secondsOf([verdict])}">`;
      return `${head}${elementOf(verdict)}</testcase>\n`;
    });
    const head = `  <testsuite name="${escapedXml(source)}" ${countsOf(verdicts)} time="${secondsOf(verdicts)}">`;
    return `${head}\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function countsOf(verdicts: readonly Verdict[]): string {
  const failures = verdicts.filter(({ outcome }) => outcome === "broken").length;
  const kept = verdicts.filter(({ outcome }) => outcome === "kept").length;
  const skipped = verdicts.length - failures - kept;
  return `tests="${verdicts.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
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
const TIMED: ReadonlySet<Verdict["what"]> = new Set(["p50", "p95", "p99", "load p95", "finding"]);

function secondsOf(verdicts: readonly Verdict[]): string {
  const sum = verdicts.reduce((time, { what, measured }) => time + (TIMED.has(what) ? (measured ?? 0) : 0), 0);
  return (sum / 1_000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapedXml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
}
