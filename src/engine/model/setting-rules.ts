import { pathRuleOf } from "./path-rule.ts";
import { proxyAddressOf } from "./proxy-address.ts";
import type { Problem, Result } from "./result.ts";
import { repeatedPort, reversePortOf } from "./reverse-port.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import { repeatedTransparentPort, transparentPortOf } from "./transparent-port.ts";

/** Limits of `fixedThreshold`, docs/specification.md. */
export const FIXED_THRESHOLD_BOUNDS = Object.freeze({ least: 1, most: 600_000 });

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Keys of numeric settings. */
export type NumberKey = {
  [Key in keyof Settings]: Settings[Key] extends number ? Key : never;
}[keyof Settings];

/** Limits of the numeric settings, in the settings' own units. */
export const NUMBER_BOUNDS: Readonly<Record<NumberKey, Bounds & { readonly whole: boolean }>> = Object.freeze({
  /** docs/specification.md, Oversized. */
  oversizedFactor: { least: 1.1, most: 100, whole: false },
  oversizedFloor: { least: 0, most: 1024 ** 3, whole: true },
  /** docs/specification.md, Limits. */
  bodyCap: { least: 0, most: 100 * 1024 ** 2, whole: true },
  /** From 1 MB to 1 TB. */
  sessionBodyCap: { least: 1024 ** 2, most: 1024 ** 4, whole: true },
  /** Bounds. The views were measured with up to `most` rows. */
  rowCap: { least: 1_000, most: 1_000_000, whole: true },
  /** docs/specification.md, Dependency chain. */
  chainGap: { least: 0, most: 10_000, whole: true },
  /** Bounds. A change below the setting does not count; with 0, every change may count. */
  stableLatencyPercent: { least: 0, most: 100, whole: false },
  stableLatencyMs: { least: 0, most: 60_000, whole: false },
  stablePayloadPercent: { least: 0, most: 100, whole: false },
  stablePayloadBytes: { least: 0, most: 1024 ** 3, whole: true },
  stableErrorPoints: { least: 0, most: 100, whole: false },
  /** Bounds. Trends compare with up to 10 sessions, so at least 10 are kept. */
  historyKept: { least: 10, most: 1_000, whole: true },
  /** From 64 MB to 1 TB. */
  dataCap: { least: 64 * 1024 ** 2, most: 1024 ** 4, whole: true },
});

/** Bounds of `panelHeight` and `timelineLabels`. */
const PANEL_BOUNDS = Object.freeze({ least: 100, most: 4_000 });

/** More columns than any list has. */
const MOST_COLUMNS = 100;

/** The most filters that are kept. */
export const MOST_RECENT = 10;

/** The most characters of the certificates of all CA files for hosts, which are part of a message of 1 MB. */
export const MOST_CERTIFICATES_TEXT = 128 * 1_024;
const LONGEST_FILE_NAME = 200;

/** More entries than anyone writes by hand. */
const MOST_ENTRIES = 1_000;
/** Limit. Each reverse or transparent port is a listening socket. */
const MOST_LOCAL_PORTS = 100;
/** The longest name of a host (RFC 1035, 2.3.4). */
const LONGEST_NAME = 255;
/** The longest entry of a list: the longest host name, and `=address:port`. */
const LONGEST_ENTRY = 320;
/** Longer than any path in use. */
const LONGEST_PATH = 4_096;

type Rule = (value: unknown) => Problem | null;

const RULES: Readonly<Record<keyof Settings, Rule>> = {
  fixedThreshold: (value) => (value === null ? null : wholeNumber(value, FIXED_THRESHOLD_BOUNDS, "milliseconds")),
  oversizedFactor: (value) => numberWithin(value, NUMBER_BOUNDS.oversizedFactor),
  oversizedFloor: (value) => wholeNumber(value, NUMBER_BOUNDS.oversizedFloor, "bytes"),
  captureInclude: (value) => entries(value, hostPattern),
  captureExclude: (value) => entries(value, hostPattern),
  passThrough: (value) => entries(value, hostPattern),
  hostOverrides: (value) => entries(value, hostOverride),
  reversePorts: (value) => localPorts(value, reversePortOf, repeatedPort),
  transparentPorts: (value) => localPorts(value, transparentPortOf, repeatedTransparentPort),
  tlsExceptions: (value) => entries(value, hostName),
  hostAuthorities: (value) => hostAuthorities(value),
  upstreamProxy: (value) => (value === null ? null : upstreamProxy(value)),
  upstreamProxyBypass: (value) => entries(value, hostPattern),
  clientCertificates: (value) => clientCertificates(value),
  privateTargetsFromLan: (value) => (typeof value === "boolean" ? null : "Choose on or off."),
  http2: (value) => (typeof value === "boolean" ? null : "Choose on or off."),
  http1Hosts: (value) => entries(value, hostPattern),
  bodyCap: (value) => wholeNumber(value, NUMBER_BOUNDS.bodyCap, "bytes"),
  sessionBodyCap: (value) => wholeNumber(value, NUMBER_BOUNDS.sessionBodyCap, "bytes"),
  rowCap: (value) => wholeNumber(value, NUMBER_BOUNDS.rowCap, "rows"),
  chainGap: (value) => wholeNumber(value, NUMBER_BOUNDS.chainGap, "milliseconds"),
  stableLatencyPercent: (value) => numberWithin(value, NUMBER_BOUNDS.stableLatencyPercent),
  stableLatencyMs: (value) => numberWithin(value, NUMBER_BOUNDS.stableLatencyMs),
  stablePayloadPercent: (value) => numberWithin(value, NUMBER_BOUNDS.stablePayloadPercent),
  stablePayloadBytes: (value) => wholeNumber(value, NUMBER_BOUNDS.stablePayloadBytes, "bytes"),
  stableErrorPoints: (value) => numberWithin(value, NUMBER_BOUNDS.stableErrorPoints),
  groupSimilarPaths: (value) => (typeof value === "boolean" ? null : "Choose on or off."),
  pathRules: (value) => entries(value, pathRule),
  historyKept: (value) => wholeNumber(value, NUMBER_BOUNDS.historyKept, "sessions"),
  dataCap: (value) => wholeNumber(value, NUMBER_BOUNDS.dataCap, "bytes"),
  trafficColumns: (value) => (value === null ? null : words(value, /^[+-]?[a-zA-Z]{1,40}(=\d{1,4})?$/)),
  trafficSort: (value) => (value === null ? null : words([value], /^-?[a-zA-Z]{1,40}$/)),
  hiddenHosts: (value) => entries(value, hiddenHost),
  showHiddenHosts: (value) => (typeof value === "boolean" ? null : "Choose on or off."),
  recentFilters: (value) =>
    words(value, /^[\s\S]{1,1000}$/) ??
    ((value as readonly string[]).length > MOST_RECENT ? `Keep ${MOST_RECENT} filters at most.` : null),
  panelHeight: (value) => (value === null ? null : wholeNumber(value, PANEL_BOUNDS, "pixels")),
  inspectorBeside: (value) => (value === null || typeof value === "boolean" ? null : "Choose on or off."),
  timelineLabels: (value) => (value === null ? null : wholeNumber(value, PANEL_BOUNDS, "pixels")),
  theme: (value) =>
    value === "system" || value === "light" || value === "dark" ? null : "Choose system, light or dark.",
  probeHost: (value) => (typeof value === "string" ? probeHost(value) : "Enter a host name."),
};

/** Whether a setting of that name exists. */
export function isSetting(key: string): key is keyof Settings {
  return Object.hasOwn(RULES, key);
}

/** Why a value is invalid for this setting, as a sentence; `null` if it is valid. */
export function settingProblem(key: string, value: unknown): Problem | null {
  return isSetting(key) ? RULES[key](value) : `There is no setting called "${key}".`;
}

/**
 * Reads stored settings. An invalid value becomes the default, and an invalid entry of a list is left out; `problems`
 * has a sentence for each such setting. Ignores unknown keys.
 */
export function parseSettings(stored: unknown): { readonly settings: Settings; readonly problems: readonly string[] } {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) {
    return { settings: DEFAULT_SETTINGS, problems: ["The settings are not a JSON object."] };
  }
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const problems: string[] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (!isSetting(key)) continue;
    const problem = settingProblem(key, value);
    if (problem !== null) problems.push(`${key}: ${problem}`);
    const sound = problem === null ? value : soundEntries(key, value);
    if (sound !== undefined) settings[key] = Array.isArray(sound) ? frozen(sound) : sound;
  }
  return { settings: Object.freeze(settings) as unknown as Settings, problems };
}

/**
 * Returns the entries of a list without those that make the list invalid, `MOST_ENTRIES` at most. `undefined` if the
 * setting takes no list.
 */
function soundEntries(key: keyof Settings, value: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const alone: unknown[] = [];
  for (const one of value) {
    if (alone.length === MOST_ENTRIES) break;
    if (settingProblem(key, [one]) === null) alone.push(one);
  }
  if (settingProblem(key, alone) === null) return alone;
  const sound: unknown[] = [];
  for (const one of alone) if (settingProblem(key, [...sound, one]) === null) sound.push(one);
  return settingProblem(key, sound) === null ? sound : undefined;
}

function frozen(list: readonly unknown[]): readonly unknown[] {
  return Object.freeze(list.map((one) => (typeof one === "object" ? Object.freeze({ ...one }) : one)));
}

function wholeNumber(value: unknown, bounds: Bounds, unit: string): Problem | null {
  const within = Number.isInteger(value) && Number(value) >= bounds.least && Number(value) <= bounds.most;
  return within ? null : `Enter a whole number of ${unit} from ${grouped(bounds.least)} to ${grouped(bounds.most)}.`;
}

function numberWithin(value: unknown, { least, most }: Bounds): Problem | null {
  const within = typeof value === "number" && value >= least && value <= most;
  return within ? null : `Enter a number from ${grouped(least)} to ${grouped(most)}.`;
}

function entries(value: unknown, problemOf: (entry: string) => Problem | null): Problem | null {
  if (!Array.isArray(value)) return "Enter a list.";
  if (value.length > MOST_ENTRIES) return `Enter at most ${grouped(MOST_ENTRIES)} lines.`;
  for (const entry of value) {
    if (typeof entry !== "string" || entry.length > LONGEST_ENTRY) return "Enter short lines of text.";
    const problem = problemOf(entry);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * Why a list of words that the UI stores for itself is invalid; `null` if it is valid. This is a rough check, since the
 * UI checks the list again when it reads it.
 */
function words(value: unknown, form: RegExp): Problem | null {
  const sound = Array.isArray(value) && value.length <= MOST_COLUMNS;
  return sound && value.every((word) => typeof word === "string" && form.test(word))
    ? null
    : "Choose one of the offered values.";
}

/**
 * Why a host pattern is invalid; `null` if it is valid. A pattern with a port could never match, since hosts are
 * compared without their port.
 */
function hostPattern(entry: string): Problem | null {
  if (/^(?:[^:]*|\[.*\]):\d*$/.test(entry)) return `"${entry}" must be the host alone, without a port.`;
  return /^[^\s/\\@?#]+$/.test(entry) ? null : `"${entry}" is not a host name or pattern such as *.example.com.`;
}

/** Why an entry is no host as lists show it; `null` if it is one. It may have a port. */
function hiddenHost(entry: string): Problem | null {
  return /^[^\s/\\@?#*"]+$/.test(entry) ? null : `"${entry}" is not a host such as api.example.com or localhost:8080.`;
}

function pathRule(entry: string): Problem | null {
  const rule = pathRuleOf(entry);
  return rule.ok ? null : rule.problem;
}

/** Why an entry for a single host is invalid; `null` if it is valid. The entry must not contain a wildcard. */
function hostName(entry: string): Problem | null {
  if (entry.includes("*")) return `"${entry}" matches many hosts; enter each host on its own line.`;
  return hostPattern(entry);
}

function upstreamProxy(value: unknown): Problem | null {
  const sound = typeof value === "string" && value.length <= LONGEST_PATH && proxyAddressOf(value) !== null;
  return sound ? null : "Enter an address such as http://proxy.example.com:3128, or http://user:password@host:port.";
}

function hostAuthorities(value: unknown): Problem | null {
  if (!Array.isArray(value)) return "Enter a list.";
  if (value.length > MOST_ENTRIES) return `Enter at most ${grouped(MOST_ENTRIES)} CA files.`;
  let length = 0;
  for (const entry of value) {
    const problem = hostAuthority(entry);
    if (problem !== null) return problem;
    length += (entry as { readonly certificates: string }).certificates.length;
    if (length > MOST_CERTIFICATES_TEXT) return "The CA files for hosts are too large. Remove one of them.";
  }
  return null;
}

/** One or more certificates in PEM form (RFC 7468), and nothing else. */
const CERTIFICATES = /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

function hostAuthority(entry: unknown): Problem | null {
  if (typeof entry !== "object" || entry === null) return "A CA file needs a host.";
  const { host, file, certificates, ...others } = entry as Partial<Record<string, unknown>>;
  if (typeof host !== "string" || host === "" || host.length > LONGEST_NAME)
    return "Enter the host that the CA file is for.";
  const isName = typeof file === "string" && file.length <= LONGEST_FILE_NAME;
  if (!isName || typeof certificates !== "string" || Object.keys(others).length > 0)
    return "A CA file has a host, a name and certificates.";
  return CERTIFICATES.test(certificates) ? hostPattern(host) : `The file ${file} contains no certificate.`;
}

function clientCertificates(value: unknown): Problem | null {
  if (!Array.isArray(value)) return "Enter a list.";
  if (value.length > MOST_ENTRIES) return `Enter at most ${grouped(MOST_ENTRIES)} lines.`;
  for (const entry of value) {
    const problem = clientCertificate(entry);
    if (problem !== null) return problem;
  }
  return null;
}

function clientCertificate(entry: unknown): Problem | null {
  if (typeof entry !== "object" || entry === null) return "A client certificate needs a host and a file.";
  const { host, file, passphrase, ...others } = entry as Partial<Record<string, unknown>>;
  if (typeof host !== "string" || host === "" || host.length > LONGEST_NAME)
    return "Enter the host that the certificate is for.";
  const isPath = typeof file === "string" && file.length <= LONGEST_PATH && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(file);
  if (!isPath) return "Enter the full path of the certificate's file.";
  const isPhrase = passphrase === null || (typeof passphrase === "string" && passphrase.length <= LONGEST_PATH);
  if (!isPhrase || Object.keys(others).length > 0) return "A client certificate has a host, a file and a passphrase.";
  return hostPattern(host);
}

/**
 * Clients parse a name whose last part matches `NUMBER` as an IPv4 address, or reject it (URL Standard, "ends in a
 * number"). They agree only on four decimal numbers (`IPV4`).
 */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

function probeHost(text: string): Problem | null {
  const [, name = "", port = "443"] = /^((?:[a-z0-9_-]+\.)*[a-z0-9_-]+)(?::([1-9]\d{0,4}))?$/i.exec(text) ?? [];
  const endsInNumber = NUMBER.test(name.slice(name.lastIndexOf(".") + 1));
  const isHost = name !== "" && name.length <= LONGEST_NAME && (!endsInNumber || IPV4.test(name));
  const sound = isHost && Number(port) <= 65_535;
  if (sound) return null;
  const advice = /[^ -~]/.test(text)
    ? " Write a name with letters outside ASCII in its encoded form, which begins with xn--."
    : "";
  return `Enter a host name such as echo.example.com, with a port if it is not 443, and nothing else.${advice}`;
}

function hostOverride(entry: string): Problem | null {
  const [, name = "", port] = /^([^\s=]+)=(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(entry) ?? [];
  const sound = port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
  return sound ? hostName(name) : `"${entry}" does not have the form name=address:port.`;
}

/** `read` parses an entry; `repeated` says which port two entries share. */
function localPorts(
  value: unknown,
  read: (entry: string) => Result<unknown>,
  repeated: (entries: readonly string[]) => Problem | null,
): Problem | null {
  const problem = entries(value, (entry) => {
    const port = read(entry);
    return port.ok ? null : port.problem;
  });
  if (problem !== null || !Array.isArray(value)) return problem;
  return value.length > MOST_LOCAL_PORTS ? `Enter at most ${MOST_LOCAL_PORTS} lines.` : repeated(value);
}

function grouped(value: number): string {
  const digits = String(Math.abs(value));
  const groups = [digits.slice(0, digits.length % 3), ...(digits.slice(digits.length % 3).match(/\d{3}/g) ?? [])];
  return `${value < 0 ? "-" : ""}${groups.filter((group) => group !== "").join(",")}`;
}
