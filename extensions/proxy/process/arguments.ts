import { parseArgs } from "node:util";
import { type Conditions, conditionsIn, PRESETS } from "../../../src/engine/model/conditions.ts";
import { failure, type Result, success } from "../../../src/engine/model/result.ts";
import { settingProblem } from "../../../src/engine/model/setting-rules.ts";

const LOG_LEVELS = ["info", "debug"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** The arguments of Weir's process, as documented in README.md, Starting it. */
export interface Arguments {
  /** Browser host: stdin is not read, and the UI is served to a browser. */
  readonly standalone: boolean;
  /** Started because a native window failed to open; that window's extension may still run. */
  readonly afterWindow: boolean;
  readonly json: boolean;
  /** `null`: 8686, or the next free port. 0: any free port. */
  readonly port: number | null;
  /** The window's port. `null`: the one after the proxy's, or the next free one. 0: any free port. */
  readonly uiPort: number | null;
  /** A further Host (`name` or `name:port`) at which the window may be opened; `null`: none. */
  readonly uiHostName: string | null;
  readonly listen: string;
  /** docs/security.md S5: clients from the network may reach private addresses. */
  readonly allowPrivateTargets: boolean;
  /** `null`: the user's default data folder. */
  readonly dataDir: string | null;
  readonly ca: { readonly cert: string; readonly key: string } | null;
  /** Files with root certificates. */
  readonly upstreamCa: readonly string[];
  readonly hostOverrides: readonly string[];
  /** Entries `port=origin`, as in the setting of this name. */
  readonly reversePorts: readonly string[];
  /** Entries `port` or `port=servers' port`, as in the setting of this name. */
  readonly transparentPorts: readonly string[];
  /** The conditions from the start on; `null` if there are none. */
  readonly slow: Conditions | null;
  /** `debug`: the log gets a line for each event of a connection. */
  readonly logLevel: LogLevel;
}

export const LISTEN = "127.0.0.1";
/** docs/specification.md, Proxy listen. */
export const PREFERRED_PORT = 8686;

/** The options of Weir's process. The other options of `weir start` are for the scripts that start the process. */
export const ENGINE_OPTIONS = [
  { name: "standalone", value: null, note: null },
  { name: "after-window", value: null, note: null },
  { name: "json", value: null, note: "print one line of JSON when ready" },
  { name: "port", value: "N", note: `the proxy's port (default: ${PREFERRED_PORT}, or the next free one)` },
  { name: "ui-port", value: "N", note: "the window's port (default: the one after the proxy's, or the next free one)" },
  { name: "ui-host-name", value: "HOST[:PORT]", note: "also open the window at this address, which you forward to it" },
  { name: "listen", value: "ADDR", note: `the proxy's address (default: ${LISTEN})` },
  {
    name: "allow-private-targets",
    value: null,
    note: "let clients from the network, such as other containers, reach private addresses",
  },
  { name: "data-dir", value: "DIR", note: "the folder for everything that Weir writes" },
  { name: "ca-cert", value: "FILE", note: "the root certificate to use, with --ca-key (default: a generated one)" },
  { name: "ca-key", value: "FILE", note: "the private key of --ca-cert" },
  {
    name: "upstream-ca",
    value: "FILE",
    note: "also trust this certificate for servers; repeatable",
    isRepeatable: true,
  },
  {
    name: "host-override",
    value: "NAME=ADDR:PORT",
    note: "connect to ADDR:PORT for NAME; repeatable",
    isRepeatable: true,
  },
  { name: "reverse", value: "PORT=ORIGIN", note: "forward the local PORT to ORIGIN; repeatable", isRepeatable: true },
  {
    name: "transparent",
    value: "PORT[=443]",
    note: "take TLS and HTTP of redirected clients at PORT, for servers' port 443 or another one; repeatable",
    isRepeatable: true,
  },
  {
    name: "slow",
    value: "NAME|FIGURES",
    note: `imitate a slow line: ${PRESETS.map(({ id }) => id).join(", ")}, or own figures such as "150ms,1600/750"`,
  },
  {
    name: "log-level",
    value: "LEVEL",
    note: "info (default), or debug, which also logs each event of a connection to weir.log",
  },
] as const satisfies readonly Option[];

/**
 * The arguments of this process, from the command line. Neutralino's config cannot pass arguments, so under Neutralino
 * they are a JSON list in an environment variable. The exit code of a failure is 2.
 */
export function givenWords(commandLine: readonly string[], environment: string | undefined): Result<readonly string[]> {
  if (environment === undefined) return success(commandLine);
  try {
    const words: unknown = JSON.parse(environment);
    if (Array.isArray(words) && words.every((word) => typeof word === "string")) return success(words);
  } catch {
    // Invalid JSON: the sentence below is returned.
  }
  return failure(`WEIR_ARGUMENTS takes a list of words in JSON, such as ["--port","8686"], not ${environment}.`);
}

/** Parses a command line. The exit code of a failure is 2. */
export function argumentsOf(words: readonly string[]): Result<Arguments> {
  let values: Values<(typeof ENGINE_OPTIONS)[number]>;
  try {
    values = parsed(words, ENGINE_OPTIONS, false).values;
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
  // An empty value usually comes from an unset variable. As an address it would mean every address, as a folder the
  // current one.
  const empty = Object.entries(values).find(([, value]) => [value].flat().includes(""));
  if (empty !== undefined) return failure(`--${empty[0]} needs a value, but the given one is empty.`);
  for (const name of ["port", "ui-port"] as const) {
    if (portIn(values[name]) === undefined)
      return failure(`--${name} takes a whole number from 0 to 65535, not "${values[name]}".`);
  }
  const port = portIn(values.port) ?? null;
  const uiHostName = values["ui-host-name"]?.toLowerCase() ?? null;
  if (uiHostName !== null && !/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(uiHostName))
    return failure(`--ui-host-name takes HOST or HOST:PORT, such as box.example:8443, not "${uiHostName}".`);
  const cert = values["ca-cert"];
  const key = values["ca-key"];
  if ((cert === undefined) !== (key === undefined))
    return failure("--ca-cert and --ca-key belong together: give both or neither.");
  const hostOverrides = values["host-override"] ?? [];
  const wrong = hostOverrides.find((override) => settingProblem("hostOverrides", [override]) !== null);
  if (wrong !== undefined) return failure(`--host-override takes NAME=ADDRESS:PORT, not "${wrong}".`);
  const reversePorts = values.reverse ?? [];
  const unusable = settingProblem("reversePorts", reversePorts);
  if (unusable !== null) return failure(`--reverse: ${unusable}`);
  const transparentPorts = values.transparent ?? [];
  const wrongPorts = settingProblem("transparentPorts", transparentPorts);
  if (wrongPorts !== null) return failure(`--transparent: ${wrongPorts}`);
  const slow = values.slow === undefined ? null : conditionsIn(values.slow);
  if (slow?.ok === false) return failure(`--slow: ${slow.problem}`);
  const level = values["log-level"] ?? "info";
  const logLevel = LOG_LEVELS.find((known) => known === level);
  if (logLevel === undefined) return failure(`--log-level takes ${LOG_LEVELS.join(" or ")}, not "${level}".`);
  return success(
    Object.freeze({
      standalone: values.standalone ?? false,
      afterWindow: values["after-window"] ?? false,
      json: values.json ?? false,
      port,
      uiPort: portIn(values["ui-port"]) ?? null,
      uiHostName,
      listen: (values.listen ?? LISTEN).replace(/^\[(.*)\]$/, "$1"),
      allowPrivateTargets: values["allow-private-targets"] ?? false,
      dataDir: values["data-dir"] ?? null,
      ca: cert === undefined || key === undefined ? null : Object.freeze({ cert, key }),
      upstreamCa: Object.freeze(values["upstream-ca"] ?? []),
      hostOverrides: Object.freeze(hostOverrides),
      reversePorts: Object.freeze(reversePorts),
      transparentPorts: Object.freeze(transparentPorts),
      slow: slow === null ? null : slow.value,
      logLevel,
    }),
  );
}

/** The window's port: fixed, so that pages of an earlier start find it again; any free one beside `--port 0`. */
export function uiPortOf({ port, uiPort }: Pick<Arguments, "port" | "uiPort">): number {
  if (uiPort !== null) return uiPort;
  if (port === 0) return 0;
  const next = (port ?? PREFERRED_PORT) + 1;
  return next > 65_535 ? 0 : next;
}

/**
 * `null` if none is given; `undefined` if it is invalid. Digits only: other texts that JavaScript reads as numbers ("
 * ", "0x50", "8e3") are probably mistakes.
 */
function portIn(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  return /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

export interface Option {
  /** The name without dashes. */
  readonly name: string;
  /** A word for the option's value; `null`: the option has no value. */
  readonly value: string | null;
  /** What help says about the option; `null`: help does not list it. */
  readonly note: string | null;
  /** True if the option can be given several times. */
  readonly isRepeatable?: true;
}

/** The given values by the option's name: `true`, a text, or a list of texts. */
type Values<Known extends Option> = {
  readonly [One in Known as One["name"]]?: One extends { readonly isRepeatable: true }
    ? readonly string[]
    : One["value"] extends null
      ? boolean
      : string;
};

export interface Parsed<Known extends Option> {
  readonly values: Values<Known>;
  readonly positionals: readonly string[];
}

/** Parses words. Throws an error with a code `ERR_PARSE_ARGS_…` for an unknown option or a missing value. */
export function parsed<Known extends Option>(
  words: readonly string[],
  known: readonly Known[],
  allowPositionals: boolean,
): Parsed<Known> {
  const { values, positionals } = parseArgs({ args: [...words], options: typesOf(known), allowPositionals });
  return { values: values as Values<Known>, positionals };
}

/** The options in the form that `parseArgs` of `node:util` takes. */
export function typesOf(known: readonly Option[]) {
  return Object.fromEntries(
    known.map(({ name, value, isRepeatable = false }) => {
      const type = value === null ? ("boolean" as const) : ("string" as const);
      return [name, { type, multiple: isRepeatable }] as const;
    }),
  );
}
