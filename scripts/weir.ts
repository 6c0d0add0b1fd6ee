import { parseArgs } from "node:util";
import { type Option, type Parsed, parsed, typesOf } from "../extensions/proxy/process/arguments.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import { closestWord } from "../src/engine/hub/search.ts";
import type { Problem } from "../src/engine/model/result.ts";
import { complain, runCommand, writeText } from "./command.ts";
import { columns, helpOf, listedBy } from "./command-help.ts";
import { COMMANDS, type Command } from "./command-table.ts";
import { scriptUrl } from "./script-url.ts";

/**
 * Runs the command that `words` start with, and sets the exit code. If `words` are empty or start with an option, the
 * command is `start`.
 */
export async function weir(words: readonly string[]): Promise<void> {
  const [typed = ""] = words;
  if (typed === "--help" || typed === "-h") return answer("help", []);
  if (typed === "--version") return answer("version", []);
  const isStart = typed === "" || typed.startsWith("-");
  const name = isStart ? "start" : typed;
  const rest = isStart ? words : words.slice(1);
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) return refuse(unknownCommand(name));
  const problem = problemOf(command, rest);
  if (problem !== null) return refuse(problem);
  if (rest.includes("--help") || rest.includes("-h")) return answer("help", [command.name]);
  if (command.script === null) return answer(command.name, rest);
  if (command.script === "start.mjs") {
    const { start } = await import(new URL("../scripts/start.mjs", import.meta.url).href);
    process.exitCode = await start(name === "demo" ? ["--demo", ...rest] : rest);
    return;
  }
  const url = scriptUrl(command.script.replace(/\.ts$/, ""), import.meta.url);
  const { main } = (await import(url.href)) as Script;
  return runCommand(name, async () => main(parsed(rest, command.options, command.positionals !== "")));
}

/** A script of a command. `main` returns the exit code. */
interface Script {
  readonly main: (given: Parsed<Option>) => Promise<number>;
}

/**
 * A sentence about the first unknown option, missing value or unexpected word; `null` if there is none. The command
 * itself checks values.
 */
function problemOf(command: Command, words: readonly string[]): Problem | null {
  const names = [...command.options.map((option) => option.name), "help"];
  const options = { ...typesOf(command.options), help: { type: "boolean", short: "h" } } as const;
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option" && !names.includes(token.name))
      return `weir ${command.name} has no option ${token.rawName}.${meant(token.name, names, "--")} ${listedBy(command.name)}`;
    const option = command.options.find((known) => token.kind === "option" && known.name === token.name);
    if (token.kind === "option" && typeof option?.value === "string" && token.value === undefined)
      return `${token.rawName} takes a value: ${token.rawName} ${option.value}. ${listedBy(command.name)}`;
    if (token.kind === "positional" && command.positionals === "")
      return `weir ${command.name} takes no "${token.value}". ${listedBy(command.name)}`;
  }
  return null;
}

function unknownCommand(name: string): string {
  const names = COMMANDS.map((command) => command.name);
  return `Weir has no command "${name}".${meant(name, names, "")} weir help lists the commands.`;
}

function meant(typed: string, known: readonly string[], prefix: string): string {
  const closest = closestWord(typed, known);
  return closest === null ? "" : ` Did you mean ${prefix}${closest}?`;
}

function refuse(sentence: string): void {
  process.exitCode = complain(BAD_USAGE, sentence);
}

/** Runs a command that only prints text. */
function answer(name: string, words: readonly string[]): Promise<void> {
  return runCommand(name, async () => {
    const [topic] = words;
    const help = topic === undefined ? helpOfAll() : helpOf(topic);
    const text = name === "version" ? VERSION : help;
    if (text === null) return complain(BAD_USAGE, unknownCommand(String(topic)));
    return (await writeText([`${text}\n`], null)) ?? 0;
  });
}

function helpOfAll(): string {
  const lines = COMMANDS.map(({ name, summary }) => [name, summary] as const);
  return ["weir COMMAND [OPTION …]", ...columns(lines), "weir help COMMAND explains a command."].join("\n");
}
