import { COMMANDS } from "./command-table.ts";

/** What `weir help COMMAND` prints; `null` for an unknown command. */
export function helpOf(topic: string): string | null {
  const command = COMMANDS.find(({ name }) => name === topic);
  if (command === undefined) return null;
  const lines = command.options.map(
    ({ name, value, note }) => [`--${name}${value === null ? "" : ` ${value}`}`, note] as const,
  );
  const options = lines.length === 0 ? [] : ["[OPTION …]"];
  const positionals = command.positionals === "" ? [] : [command.positionals];
  const usage = ["weir", command.name, ...positionals, ...options].join(" ");
  const footnote = command.footnote === undefined ? [] : [command.footnote];
  return [usage, `${command.summary}.`, ...columns(lines), ...footnote].join("\n");
}

/** The sentence after a wrong option or value; it names the command that lists the options. */
export function listedBy(name: string): string {
  return `weir help ${name} lists its options.`;
}

/** Lines with two columns; the left column is padded. */
export function columns(lines: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(0, ...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
