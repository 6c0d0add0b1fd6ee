import { parseArgs } from "node:util";
import { settingProblem } from "../../src/engine/model/setting-rules.ts";

/** decisions.md, "Starting it, and the command line". */
export interface Arguments {
  /** Browser host: nothing is read from stdin, the UI is served to a browser. */
  readonly standalone: boolean;
  /** It takes the place of a native window that never stood, and whose extension may be there still. */
  readonly afterWindow: boolean;
  readonly json: boolean;
  /** `null`: 8686, or the next free port. 0: any free port. */
  readonly port: number | null;
  readonly listen: string;
  /** `null`: the user's own data folder. */
  readonly dataDir: string | null;
  readonly ca: { readonly cert: string; readonly key: string } | null;
  /** Files of roots. */
  readonly upstreamCa: readonly string[];
  readonly hostOverrides: readonly string[];
}

/** Where the proxy listens unless told. */
export const LISTEN = "127.0.0.1";
/** decisions.md, Proxy listen. */
export const PREFERRED_PORT = 8686;

const OPTIONS = {
  standalone: { type: "boolean" },
  "after-window": { type: "boolean" },
  json: { type: "boolean" },
  port: { type: "string" },
  listen: { type: "string" },
  "data-dir": { type: "string" },
  "ca-cert": { type: "string" },
  "ca-key": { type: "string" },
  "upstream-ca": { type: "string", multiple: true },
  "host-override": { type: "string", multiple: true },
} as const;

/**
 * The words that this process was given: those of its command line, or where it is started by Neutralino, whose config cannot
 * carry any, those that the starting script put into the environment, as a list in JSON. Else a sentence (exit code 2).
 */
export function givenWords(
  commandLine: readonly string[],
  environment: string | undefined,
): readonly string[] | string {
  if (environment === undefined) return commandLine;
  try {
    const words: unknown = JSON.parse(environment);
    if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  } catch {
    // Said below.
  }
  return `WEIR_ARGUMENTS takes a list of words in JSON, such as ["--port","8686"], not ${environment}.`;
}

/** What the words of a command line mean, or a sentence about what is wrong with them (exit code 2). */
export function argumentsOf(words: readonly string[]): Arguments | string {
  let values: ReturnType<typeof parsed>;
  try {
    values = parsed(words);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  // From a variable that is not set, say: an empty address would be every address of this machine, an empty folder the one at hand.
  const empty = Object.entries(values).find(([, value]) => [value].flat().includes(""));
  if (empty !== undefined) return `--${empty[0]} takes a value, and this one is empty.`;
  const port = values.port === undefined ? null : Number(values.port);
  // Digits alone: what else JavaScript reads as a number (" ", "0x50", "8e3") is a slip of the keyboard or of a script.
  if (port !== null && !(/^\d+$/.test(values.port ?? "") && port <= 65_535)) {
    return `--port takes a whole number from 0 to 65535, not "${values.port}".`;
  }
  const cert = values["ca-cert"];
  const key = values["ca-key"];
  if ((cert === undefined) !== (key === undefined))
    return "--ca-cert and --ca-key belong together: give both or neither.";
  const hostOverrides = values["host-override"] ?? [];
  const wrong = hostOverrides.find((override) => settingProblem("hostOverrides", [override]) !== null);
  if (wrong !== undefined) return `--host-override takes NAME=ADDRESS:PORT, not "${wrong}".`;
  return Object.freeze({
    standalone: values.standalone ?? false,
    afterWindow: values["after-window"] ?? false,
    json: values.json ?? false,
    port,
    listen: (values.listen ?? LISTEN).replace(/^\[(.*)\]$/, "$1"),
    dataDir: values["data-dir"] ?? null,
    ca: cert === undefined || key === undefined ? null : Object.freeze({ cert, key }),
    upstreamCa: Object.freeze(values["upstream-ca"] ?? []),
    hostOverrides: Object.freeze(hostOverrides),
  });
}

function parsed(words: readonly string[]) {
  return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values;
}
