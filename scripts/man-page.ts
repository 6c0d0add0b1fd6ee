import { VERSION } from "../extensions/proxy/version.ts";
import { COMMANDS, type Command } from "./command-table.ts";

/** Exit codes as docs/specification.md has them. */
const EXITS: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "clean"],
  ["1", "a budget broken"],
  ["2", "bad usage, or a file that cannot be read"],
  ["3", "port taken"],
  ["4", "data folder unusable, or no such session"],
  ["5", "certificate authority unusable"],
  ["6", "too few requests to tell"],
  ["70", "internal error"],
  ["73", "output cannot be written"],
];

/** The manual page weir(1), made from the table of commands (man(7)). */
export function manPage(): string {
  return [
    `.TH WEIR 1 "" "Weir ${VERSION}"`,
    ".SH NAME",
    `weir \\- ${plain("a local proxy that answers: why is my traffic slow?")}`,
    ".SH SYNOPSIS",
    ".B weir",
    "[COMMAND] [OPTION ...]",
    ".SH COMMANDS",
    ...COMMANDS.flatMap(sectionOf),
    ".SH EXIT STATUS",
    ...EXITS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, plain(meaning)]),
    "",
  ].join("\n");
}

function sectionOf({ name, summary, positionals, options, footnote }: Command): readonly string[] {
  const synopsis = [
    name,
    ...(positionals === "" ? [] : [positionals]),
    ...(options.length === 0 ? [] : ["[OPTION ...]"]),
  ];
  return [
    `.SS ${quotedArgument(["weir", ...synopsis].join(" "))}`,
    `${plain(summary)}.`,
    ...options.flatMap((option) => [
      ".TP",
      `.B ${quotedArgument(`--${option.name}${option.value === null ? "" : ` ${option.value}`}`)}`,
      plain(option.note),
    ]),
    ...(footnote === undefined ? [] : [".PP", plain(footnote)]),
  ];
}

/** Text in which groff reads nothing as a request, an escape or a hyphen. */
function plain(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("\u2026", "...");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function quotedArgument(text: string): string {
  return `"${plain(text).replaceAll('"', '""')}"`;
}
