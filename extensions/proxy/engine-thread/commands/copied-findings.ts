import { redactedFinding, redactedWhere } from "../../../../src/engine/interchange/finding-redaction.ts";
import { findingMarkdown, reportMarkdown } from "../../../../src/engine/interchange/report-text.ts";
import type { FoundFindings } from "../../../../src/engine/session/evaluation/found-findings.ts";
import { numberedFinding, numberedWhere } from "../../../../src/engine/session/lists/row-numbers.ts";
import type { Session } from "../../../../src/engine/session/session.ts";

/**
 * One finding by its key, or all findings (`null`), as Markdown without secrets. Throws a sentence if there is none to
 * copy.
 */
export function findingsMarkdown(found: FoundFindings | null, { table }: Session, key: string | null): string {
  if (found === null) throw new Error("Weir is still looking for findings. Try again in a moment.");
  const { report, records, endpoints } = found;
  const findings = report.findings.map((finding) => numberedFinding(redactedFinding(finding), table));
  if (key === null) {
    const where = numberedWhere(redactedWhere(report.where), table);
    const whole = { ...report, where, findings, endpoints, uncounted: 0, leftOut: [], leftOutCount: 0 };
    return [...reportMarkdown(whole)].join("");
  }
  const index = records.findIndex((record) => record.key === key);
  const finding = findings[index];
  if (finding === undefined) throw new Error("This finding is not in the list any more.");
  return [...findingMarkdown(finding, index + 1)].join("").trimStart();
}
