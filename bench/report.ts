import type { Table } from "./part.ts";
import type { Verdict } from "./verdict.ts";

/** The table and the verdicts of a part, as Markdown. */
export function markdownOf(title: string, { rows, verdicts }: Table): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = rows.map(({ subject, figures }) => line([subject, ...names.map((name) => shown(figures[name]))]));
  const judged = verdicts.map((verdict) => `- ${verdict.must}: ${judgement(verdict)}`);
  return [
    `### ${title}`,
    "",
    line(["", ...names]),
    line(["---", ...names.map(() => "---:")]),
    ...lines,
    "",
    ...judged,
    "",
  ].join("\n");
}

function judgement({ measured, met }: Verdict): string {
  if (met === null) return measured;
  return `${measured}, ${met ? "met" : "**not met**"}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3);
}
