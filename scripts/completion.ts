import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { quoted } from "../src/engine/quoting/shell.ts";
import { complain, writeText } from "./command.ts";
import { COMMANDS, type ParsedFor } from "./command-table.ts";

const WRITERS: Readonly<Record<string, () => string>> = {
  bash: forBash,
  zsh: forZsh,
  fish: forFish,
  powershell: forPowerShell,
};

/** Prints the completion script of a shell for `weir`, made from the table of commands. */
export async function main({ positionals }: ParsedFor<"completion">): Promise<number> {
  const [shell = "", ...more] = positionals;
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (more.length > 0 || write === undefined)
    return complain(BAD_USAGE, `weir completion takes one shell: ${Object.keys(WRITERS).join(", ")}.`);
  return (await writeText([write()], null)) ?? 0;
}

/** The script for bash. With `-o default`, file names are completed if no word of `weir` fits. */
function forBash(): string {
  const others = COMMANDS.filter(({ name }) => name !== "help");
  const cases = others.map(({ name, options }) => `    ${name}) words="${namesOf(options).join(" ")}" ;;`);
  const names = COMMANDS.map(({ name }) => name).join(" ");
  return `_weir() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names}"; else case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    help) words="${names}" ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _weir weir
`;
}

function namesOf(options: readonly { readonly name: string }[]): string[] {
  return [...options.map(({ name }) => `--${name}`), "--help"];
}

/** The script for zsh, for `eval` after compinit, or as the file `_weir` in a folder of fpath. */
function forZsh(): string {
  const names = COMMANDS.map(({ name, summary }) => inQuotes(`${name}:${summary.replaceAll(":", "\\:")}`));
  const cases = COMMANDS.filter(({ name }) => name !== "help").map(({ name, options, positionals }) => {
    const specs = options.map(({ name: option, value, note }) => {
      const described = `--${option}[${note.replaceAll(/[\\[\]:]/g, "\\$&")}]`;
      return inQuotes(value === null ? described : `${described}:${value.replaceAll(":", "\\:")}:_files`);
    });
    const files = positionals.includes("FILE") ? ["'*:file:_files'"] : [];
    return `    ${name}) _arguments ${[...specs, "'--help[explain it]'", ...files].join(" ")} ;;`;
  });
  return `#compdef weir
_weir() {
  local -a commands=(${names.join(" ")})
  if (( CURRENT == 2 )) || [[ "\${words[2]}" == help ]]; then _describe command commands; return; fi
  case "\${words[2]}" in
${cases.join("\n")}
  esac
}
if (( \${+functions[compdef]} )); then compdef _weir weir; fi
`;
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function forFish(): string {
  const lines = COMMANDS.flatMap(({ name, summary, options }) => [
    `complete -c weir -n __fish_use_subcommand -f -a ${name} -d ${inFish(summary)}`,
    ...options.map(
      (option) =>
        `complete -c weir -n '__fish_seen_subcommand_from ${name}' -l ${option.name}${option.value === null ? "" : " -r"} -d ${inFish(option.note)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function inFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

/** The script for PowerShell 5.1 and 7. If the script offers nothing, PowerShell completes file names. */
function forPowerShell(): string {
  const entry = (name: string, note: string) => `${quoted(name, "powershell")} = ${quoted(note, "powershell")}`;
  const commands = COMMANDS.map(({ name, summary }) => `    ${entry(name, summary)}`);
  const options = COMMANDS.filter(({ name }) => name !== "help").map(({ name, options: own }) => {
    const entries = own.map((option) => entry(`--${option.name}`, option.note));
    return `    ${quoted(name, "powershell")} = [ordered]@{ ${[...entries, entry("--help", "explain it")].join("; ")} }`;
  });
  return `# Not run in Weir's tests.
Register-ArgumentCompleter -Native -CommandName weir -ScriptBlock {
  param($word, $line, $position)
  $commands = [ordered]@{
${commands.join("\n")}
  }
  $options = @{
${options.join("\n")}
  }
  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })
  $before = if ($word) { $words.Count - 1 } else { $words.Count }
  $offered = if ($before -lt 2 -or $words[1] -eq 'help') { $commands } else { $options[$words[1]] }
  if ($offered) {
    $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($word) } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
    }
  }
}
`;
}
