import type { Option } from "../extensions/proxy/process/arguments.ts";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import type { SessionFacts } from "../extensions/proxy/storage/session-facts.ts";
import { listSessions } from "../extensions/proxy/storage/stored-sessions.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import { EXPORT_TABLES } from "../src/engine/messages/exchange-messages.ts";
import { PRESETS } from "../src/engine/model/conditions.ts";
import { sessionLabelOf, sessionNameProblem } from "../src/engine/model/session-name.ts";
import { quoted } from "../src/engine/quoting/shell.ts";
import { complain, writeText } from "./command.ts";
import { COMMANDS, type Command, type ParsedFor } from "./command-table.ts";

const WRITERS: Readonly<Record<string, () => string>> = {
  bash: forBash,
  zsh: forZsh,
  fish: forFish,
  powershell: forPowerShell,
};

/**
 * Prints the completion script of a shell for `weir`, made from the table of commands. `sessions`: prints the values of
 * `--session` instead, which the scripts ask for; a tab stands before what a value means.
 */
export async function main({ values, positionals }: ParsedFor<"completion">): Promise<number> {
  const [shell = "", ...more] = positionals;
  if (shell === "sessions" && more.length === 0) {
    const folder = values["data-dir"] ?? defaultDataFolder();
    return (await writeText(sessionLines(listSessions(folder)), null)) ?? 0;
  }
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (more.length > 0 || write === undefined)
    return complain(BAD_USAGE, `weir completion takes one shell: ${Object.keys(WRITERS).join(", ")}.`);
  return (await writeText([write()], null)) ?? 0;
}

/** The names of sessions and their ids, the newest first. A name that a line or a table cannot hold is left out. */
function sessionLines(sessions: readonly SessionFacts[]): string[] {
  const newest = sessions.toReversed();
  const names = newest.flatMap(({ id, name }) => (sessionNameProblem(name) === null ? [`${name}\tsession ${id}`] : []));
  const ids = newest.map((facts) => `${facts.id}\t${visibleText(sessionLabelOf(facts)) || "session"}`);
  return ["current\tbeing recorded", "last\tthe newest that has ended", ...names, ...ids].map((line) => `${line}\n`);
}

/** What completes a value: words, sessions, sessions or files, or what the shell completes by default (files). */
type Values = readonly string[] | "sessions" | "sources" | "files";

/** The values of options whose text in the help does not list them. */
const KNOWN_VALUES: Readonly<Record<string, Values>> = {
  session: "sessions",
  baseline: "sources",
  slow: PRESETS.map(({ id }) => id),
  "log-level": ["info", "debug"],
  table: EXPORT_TABLES,
};

/** The values of arguments that are not options, by command. */
const KNOWN_ARGUMENTS: Readonly<Record<string, Values>> = { compare: "sources", sessions: ["new", "rename"] };

function valuesOf({ name, value }: Option): Values {
  return KNOWN_VALUES[name] ?? wordsIn(value ?? "") ?? "files";
}

function argumentsOf({ name, positionals }: Command): Values {
  return KNOWN_ARGUMENTS[name] ?? wordsIn(positionals) ?? "files";
}

/** "text|md|json" as words; `null` if the text names no words. */
function wordsIn(text: string): readonly string[] | null {
  return /^\w+(?:\|\w+)+$/.test(text) && !/^[A-Z]{2}/.test(text) ? text.split("|") : null;
}

const OTHERS = COMMANDS.filter(({ name }) => name !== "help");

/** The script for bash. With `-o default`, file names are completed if nothing else fits. */
function forBash(): string {
  const names = COMMANDS.map(({ name }) => name).join(" ");
  const values = OTHERS.flatMap((command) =>
    command.options.flatMap((option) => {
      const found = option.value === null ? "files" : valuesOf(option);
      return found === "files" ? [] : [`    "${command.name} --${option.name}") ${offeredInBash(found)} ;;`];
    }),
  );
  // An option with another value gets no words, so that bash completes file names.
  const others = OTHERS.flatMap(({ name, options }) =>
    options.flatMap((option) => (option.value === null ? [] : [`"${name} --${option.name}"`])),
  );
  const first = OTHERS.map((command) => {
    const found = argumentsOf(command);
    const offered = found === "files" ? "" : `${offeredInBash(found)}; `;
    return `    ${command.name}) ${offered}words="$words ${namesOf(command.options).join(" ")}" ;;`;
  });
  return `_weir_sessions() {
  local index value folder=()
  for ((index = 2; index < COMP_CWORD; index++)); do
    if [ "\${COMP_WORDS[index]}" = --data-dir ]; then folder=(--data-dir "\${COMP_WORDS[index + 1]}"); fi
  done
  while IFS=$'\\t' read -r value _; do
    case "$value" in "$word"*) COMPREPLY+=("$(printf %q "$value")") ;; esac
  done < <("\${COMP_WORDS[0]}" completion sessions "\${folder[@]}" 2>/dev/null)
}
_weir() {
  local words="" word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  if [ "$word" = "=" ]; then word=""; elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names}"; else case "\${COMP_WORDS[1]} $before" in
${values.join("\n")}
    ${[...new Set(others)].join("|")}) ;;
    *) case "\${COMP_WORDS[1]}" in
${first.join("\n")}
    help) words="${names}" ;;
    esac ;;
  esac; fi
  COMPREPLY+=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _weir weir
`;
}

function offeredInBash(values: Exclude<Values, "files">): string {
  return typeof values === "string" ? "_weir_sessions" : `words="${values.join(" ")}"`;
}

function namesOf(options: readonly { readonly name: string }[]): string[] {
  return [...options.map(({ name }) => `--${name}`), "--help"];
}

/** What completes a value in zsh. */
const IN_ZSH = { sessions: "_weir_sessions", sources: "_weir_sources", files: "_files" } as const;

/** The script for zsh, for `eval` after compinit, or as the file `_weir` in a folder of fpath. */
function forZsh(): string {
  const names = COMMANDS.map(({ name, summary }) => inQuotes(`${name}:${summary.replaceAll(":", "\\:")}`));
  const cases = OTHERS.map((command) => {
    const specs = command.options.map((option) => {
      const { name, value, note } = option;
      const described = `--${name}[${note.replaceAll(/[\\[\]:]/g, "\\$&")}]`;
      if (value === null) return inQuotes(described);
      return inQuotes(`${described}:${value.replaceAll(":", "\\:")}:${actionInZsh(valuesOf(option))}`);
    });
    const found = argumentsOf(command);
    const isFile = found !== "files" || command.positionals.includes("FILE");
    const more = isFile ? [`'*:argument:${actionInZsh(found)}'`] : [];
    return `    ${command.name}) _arguments ${[...specs, "'--help[explain it]'", ...more].join(" ")} ;;`;
  });
  return `#compdef weir
_weir_sessions() {
  local -a found folder
  local line index=\${words[(I)--data-dir]}
  (( index > 0 && index < CURRENT - 1 )) && folder=(--data-dir \${(Q)words[index + 1]})
  for line in "\${(@f)$(_call_program sessions weir completion sessions \${(q)folder})}"; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe session found
}
_weir_sources() { _alternative 'sessions:session:_weir_sessions' 'files:file:_files' }
_weir() {
  local -a commands=(${names.join(" ")})
  if (( CURRENT == 2 )) || [[ "\${words[2]}" == help ]]; then _describe command commands; return; fi
  # _arguments takes the first word for the command, so the word after it must be the first one.
  shift words; (( CURRENT -= 1 ))
  case "\${words[1]}" in
${cases.join("\n")}
  esac
}
if (( \${+functions[compdef]} )); then compdef _weir weir; fi
`;
}

function actionInZsh(values: Values): string {
  return typeof values === "string" ? IN_ZSH[values] : `(${values.join(" ")})`;
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The script for fish. */
function forFish(): string {
  const lines = COMMANDS.flatMap((command) => {
    const within = `complete -c weir -n '__fish_seen_subcommand_from ${command.name}'`;
    const found = command.name === "help" ? "files" : argumentsOf(command);
    return [
      `complete -c weir -n __fish_use_subcommand -f -a ${command.name} -d ${inFish(command.summary)}`,
      ...(found === "files" ? [] : [`${within}${offeredInFish(found)}`]),
      ...command.options.map((option) => {
        const value = option.value === null ? "" : ` -r${offeredInFish(valuesOf(option))}`;
        return `${within} -l ${option.name}${value} -d ${inFish(option.note)}`;
      }),
    ];
  });
  return `function __weir_sessions
  set -l words (commandline -opc)
  set -l at (contains -i -- --data-dir $words); and set -l folder --data-dir $words[(math $at + 1)]
  weir completion sessions $folder 2>/dev/null
end
${lines.join("\n")}
`;
}

function offeredInFish(values: Values): string {
  if (values === "files") return "";
  if (values === "sources") return " -a '(__weir_sessions)'";
  return ` -f -a ${values === "sessions" ? "'(__weir_sessions)'" : inFish(values.join(" "))}`;
}

function inFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

/** The script for PowerShell 5.1 and 7. If the script offers nothing, PowerShell completes file names. */
export function forPowerShell(): string {
  const entry = (name: string, note: string) => `${inPowerShell(name)} = ${inPowerShell(note)}`;
  const commands = COMMANDS.map(({ name, summary }) => `    ${entry(name, summary)}`);
  const options = OTHERS.map(({ name, options: own }) => {
    const entries = own.map((option) => entry(`--${option.name}`, option.note));
    return `    ${inPowerShell(name)} = [ordered]@{ ${[...entries, entry("--help", "explain it")].join("; ")} }`;
  });
  // The key of a command's arguments is the command alone.
  const values = OTHERS.flatMap((command) => {
    const own = command.options.flatMap((option): [string, Values][] =>
      option.value === null ? [] : [[`${command.name} --${option.name}`, valuesOf(option)]],
    );
    return [...own, [command.name, argumentsOf(command)] as const].map(([key, found]) => {
      const offered = typeof found === "string" ? [`<${found}>`] : found;
      return `    ${inPowerShell(key)} = @(${offered.map(inPowerShell).join(", ")})`;
    });
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
  $values = @{
${values.join("\n")}
  }
  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })
  $count = if ($word) { $words.Count - 1 } else { $words.Count }
  $typed = $word.Trim("'", '"')
  $offered = [ordered]@{}
  if ($count -lt 2 -or $words[1] -eq 'help') { $offered = $commands }
  else {
    $found = $values["$($words[1]) $($words[$count - 1])"]
    if (-not $found) {
      $found = $values[$words[1]]
      if ($options[$words[1]]) { foreach ($one in $options[$words[1]].GetEnumerator()) { $offered[$one.Key] = $one.Value } }
    }
    foreach ($one in $found) {
      if ($one -eq '<sessions>' -or $one -eq '<sources>') {
        $at = [array]::IndexOf($words, '--data-dir')
        $folder = if ($at -gt 1 -and $at + 1 -lt $count) { '--data-dir', $words[$at + 1].Trim("'", '"') } else { @() }
        foreach ($session in & $words[0] completion sessions @folder 2>$null) {
          $name, $meaning = $session -split "\`t", 2
          $offered[$name] = $meaning
        }
      }
      elseif ($one -ne '<files>') { $offered[$one] = $one }
    }
  }
  $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($typed) } | ForEach-Object {
    $text = if ($_.Key -match '^[\\w.-]+$') { $_.Key } else { "'" + $_.Key.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $_.Key, 'ParameterValue', $_.Value)
  }
  if ($found -contains '<sources>') { [System.Management.Automation.CompletionCompleters]::CompleteFilename($word) }
}
`;
}

function inPowerShell(text: string): string {
  return quoted(text, "powershell");
}
