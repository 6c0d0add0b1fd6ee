import { assigned, quoted, SHELLS, type Shell } from "../quoting/shell.ts";
import { type Form, proxyUrl, type Values, type Variant } from "./target.ts";

/** Per shell, the program that ran a text in our tests. A shell is missing if no test ran its text. */
type Ran = Partial<Readonly<Record<Shell, string>>>;

/** A command per shell; `quote` quotes a value for that shell. */
export type CommandText = (values: Values, shell: Shell, quote: (value: string) => string) => string;

interface EnvironmentBlock {
  /** Variables in addition to the proxy's own, such as the one that names the certificate file. */
  readonly extra: readonly (readonly [name: string, value: (values: Values) => string])[];
  /** The command that sends the request; `null` if the block has none. */
  readonly command: CommandText | null;
  readonly version?: string;
  readonly install?: string;
  readonly installFor?: string;
  readonly ran: Ran;
}

interface CommandOptions {
  readonly version?: string | null;
  /** Whether the text contains this machine's LAN address. */
  readonly lan?: boolean;
  readonly undo?: (shell: Shell, values: Values) => string;
}

const PROXY_NAMES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] as const;

/**
 * The variables that exclude hosts from the proxy. The block empties them, since inherited values would exclude hosts.
 */
const BYPASS_NAMES = ["NO_PROXY", "no_proxy"] as const;

/** Fields that all variants of `environmentForms` share. */
export const FROM_SHELL = {
  id: "environment",
  title: "Environment",
  heading: "From the shell, without touching code",
  language: "text",
} as const;

/** How to undo a block, in words. */
export const UNDO_OF_BLOCK =
  "Paste the block's undo line or close the terminal. A new terminal has the earlier variables again.";

/**
 * For each shell, a block that sets the proxy in both letter cases (curl and Ruby read `http_proxy`, wget
 * `https_proxy`), and the line that undoes the whole block. The block affects only its terminal.
 */
export function environmentForms({ extra, command, version, ran, ...more }: EnvironmentBlock): readonly Form[] {
  const names = [...PROXY_NAMES, ...BYPASS_NAMES, ...extra.map(([name]) => name)];
  return SHELLS.map((shell) => ({
    ...more,
    shell,
    version: version ?? null,
    ran: ran[shell] ?? null,
    lan: false,
    text: (values: Values) => {
      const lines = [
        ...PROXY_NAMES.map((name) => assigned(name, proxyUrl(values), shell)),
        ...BYPASS_NAMES.map((name) => assigned(name, "", shell)),
        ...extra.map(([name, value]) => assigned(name, value(values), shell)),
      ];
      if (command !== null) lines.push(command(values, shell, (value) => quoted(value, shell)));
      return lines.join("\n");
    },
    undo: () => unsetBlock(shell, names),
  }));
}

/** One command as a form for each shell, quoted for that shell. Without `undo`, the forms have no undo command. */
export function commandForms(
  command: CommandText,
  ran: Ran,
  { version = null, lan = false, undo }: CommandOptions = {},
): readonly Form[] {
  return SHELLS.map((shell) => ({
    shell,
    version,
    ran: ran[shell] ?? null,
    lan,
    text: (values: Values) => command(values, shell, (value) => quoted(value, shell)),
    undo: undo === undefined ? null : (values: Values) => undo(shell, values),
  }));
}

/** A text that belongs to no shell: code, or values for a dialog. */
export function plainForm(
  ran: string | null,
  text: (values: Values) => string,
  version: string | null = null,
  install?: string,
): Form {
  return { shell: null, version, ran, lan: false, text, undo: null, ...(install === undefined ? {} : { install }) };
}

/** Returns a function that makes a variant whose texts are code in `language`. */
export function programVariant(
  language: string,
): (id: string, title: string, note: string, ...forms: readonly Form[]) => Variant {
  return (id, title, note, ...forms) => ({ id, title, heading: "In the program", language, note, forms });
}

/**
 * The command name of curl or wget: for PowerShell with `.exe`, since PowerShell 5.1 has aliases named `curl` and
 * `wget`.
 */
export function program(name: "curl" | "wget", shell: Shell): string {
  return shell === "powershell" ? `${name}.exe` : name;
}

/** The name of the Python interpreter: `python3` on Debian and macOS, `python` on Windows. */
export function python(shell: Shell): string {
  return shell === "sh" || shell === "fish" ? "python3" : "python";
}

/** The line that removes a file or a folder that a text creates; in cmd, only a file. */
export function removal(name: string, shell: Shell): string {
  switch (shell) {
    case "sh":
    case "fish":
      return `rm -r ${name}`;
    case "powershell":
      return `Remove-Item -Recurse ${name}`;
    case "cmd":
      return `del ${name}`;
  }
}

function unsetBlock(shell: Shell, names: readonly string[]): string {
  switch (shell) {
    case "sh":
      return `unset ${names.join(" ")}`;
    case "fish":
      return `set -e ${names.join(" ")}`;
    case "powershell":
      return `Remove-Item ${names.map((name) => `Env:${name}`).join(", ")} -ErrorAction SilentlyContinue`;
    case "cmd":
      return names.map((name) => `set "${name}="`).join("\n");
  }
}
