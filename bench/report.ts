import type { Table } from "./part.ts";

/** A part's table and verdicts as Markdown. */
export function markdownOf(title: string, { rows, verdicts }: Table): string {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = rows.map(({ subject, figures }) => line([subject, ...names.map((name) => shown(figures[name]))]));
  const judged = verdicts.map(({ must, measured, met }) => `- ${must}: ${measured}, ${met ? "met" : "**not met**"}`);
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

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3);
}
