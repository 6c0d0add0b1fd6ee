import { hostPort } from "../model/host-port.ts";
import type { Shell } from "../quoting/shell.ts";
import { CERTIFICATE_VARIABLES, PROXY_VARIABLES, UNVERIFIED, VARIABLES } from "./doctor-command.ts";
import type { Values } from "./target.ts";
import { proxyUrl } from "./target.ts";

/** One thing that the pasted output says about a terminal. */
export interface Finding {
  readonly tone: "good" | "bad" | "note";
  readonly text: string;
}

/** What a terminal's printed variables mean for a client started from it, compared with the proxy and files of now. */
export function explain(output: string, values: Values, shell: Shell): readonly Finding[] {
  const variables = variablesOf(output);
  // On Windows a variable has one value, however its name is written.
  const tellsCase = shell === "sh" || shell === "fish";
  if (variables.size === 0 && !/^(?:\S+: \S|v\d+\.|Python \d|curl \d)/m.test(output))
    return [note("This holds none of what the command prints. Paste its whole output.")];
  return Object.freeze([
    ...proxyFindings(variables, values, tellsCase),
    ...otherProxyFindings(variables, values),
    ...bypassFindings(variables),
    ...fileFindings(variables, output, values),
    ...nodeFindings(variables, output),
    ...pythonFindings(output),
    ...curlFindings(output),
    ...unverifiedFindings(variables),
  ]);
}

/** What goes past the proxy where a scheme's variable is not set at all, or in upper case only. */
const NEITHER_CASE = {
  https: "HTTPS_PROXY is not set: https requests go past the proxy.",
  http: "HTTP_PROXY is not set: http requests go past the proxy, and all of Ruby's.",
} as const;
const NO_LOWER_CASE = {
  https: "https_proxy is not set in lower case: wget reads no other.",
  http: "http_proxy is not set in lower case: curl reads no other for http URLs, and Ruby reads it for https too.",
} as const;

type Variables = ReadonlyMap<string, string>;

function variablesOf(output: string): Variables {
  const found = new Map<string, string>();
  for (const line of output.split(/\r?\n/)) {
    const match = /^\s*([A-Za-z_]+)=(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined && VARIABLES.includes(match[1])) found.set(match[1], match[2] ?? "");
  }
  return found;
}

function proxyFindings(variables: Variables, values: Values, tellsCase: boolean): readonly Finding[] {
  const set = PROXY_VARIABLES.filter((name) => (variables.get(name) ?? "") !== "");
  if (set.length === 0)
    return [
      {
        tone: "bad",
        text: "No proxy variable is set: programs of this terminal go directly. Paste the block of Snippets.",
      },
    ];
  const findings: Finding[] = set.flatMap((name) => proxyFinding(name, variables.get(name) ?? "", values));
  for (const scheme of ["https", "http"] as const) {
    const names = set.filter((name) => name.toLowerCase() === `${scheme}_proxy`);
    if (names.length === 0) findings.push(bad(NEITHER_CASE[scheme]));
    else if (tellsCase && !names.includes(`${scheme}_proxy`)) findings.push(bad(NO_LOWER_CASE[scheme]));
  }
  if (findings.length === 0)
    findings.push(good(`The proxy variables point at Weir (${hostPort(values.host, values.port)}).`));
  return findings;
}

/** What is the matter with one variable; nothing where all tools are led to Weir by it. */
function proxyFinding(name: string, value: string, values: Values): readonly Finding[] {
  const wanted = proxyUrl(values);
  const named = addressIn(value);
  const [own, localhost, lan] = [values.host, "localhost", values.lan].map((host) =>
    host === null ? null : hostPort(host, values.port),
  );
  if (named !== own && named !== localhost && named !== lan)
    return [bad(`${name} points at ${named}; Weir listens on ${own}.`)];
  const scheme = /^[a-z0-9]+:\/\//i.exec(value)?.[0].toLowerCase();
  if (scheme === undefined)
    return [
      bad(
        `${name} has no scheme: curl, git, wget, Go and Python take such an address, Node.js, npm and Ruby do not. It should be ${wanted}.`,
      ),
    ];
  if (scheme !== "http://")
    return [
      bad(
        `${name} begins with ${scheme}: Weir is spoken to in plain http, for https URLs too. It should be ${wanted}.`,
      ),
    ];
  if (named === localhost)
    return [note(`${name} says localhost, which may be the IPv6 address ::1. ${wanted} is always right.`)];
  if (named !== own)
    return [
      note(
        `${name} names this machine's address in the network, which works while LAN listening is on. ${wanted} is always right.`,
      ),
    ];
  return value.includes("@")
    ? [note(`${name} holds a name and password, for which Weir does not ask. ${wanted} is enough.`)]
    : [];
}

/** `host:port` of a proxy's URL, without the password that may stand there. */
function addressIn(url: string): string {
  return url
    .replace(/^[a-z0-9]+:\/\//i, "")
    .replace(/^.*@/, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/** Most tools ask it last, so that it does not matter beside the others. */
function otherProxyFindings(variables: Variables, values: Values): readonly Finding[] {
  return ["ALL_PROXY", "all_proxy"].flatMap((name) => {
    const value = (variables.get(name) ?? "").replace(/\/$/, "");
    if (value === "" || value === proxyUrl(values)) return [];
    return [bad(`${name} points at ${addressIn(value)}, and Deno prefers it to the other variables. Empty it.`)];
  });
}

function bypassFindings(variables: Variables): readonly Finding[] {
  return ["NO_PROXY", "no_proxy"].flatMap((name) => {
    const value = variables.get(name) ?? "";
    if (value === "") return [];
    const text = value.split(",").some((host) => host.trim() === "*") ? "everything" : value;
    return [bad(`${name} leaves out ${text}: requests to it go past the proxy. Empty it.`)];
  });
}

function fileFindings(variables: Variables, output: string, values: Values): readonly Finding[] {
  const { ca, bundle, der } = values;
  return Object.entries(CERTIFICATE_VARIABLES).flatMap(([name, effect]): readonly Finding[] => {
    const path = variables.get(name) ?? "";
    if (path === "") return [];
    if (path === der) return [bad(`${name} names the DER file for phones; it must be PEM.`)];
    if (new RegExp(`^${name} is no pem`, "m").test(output))
      return [bad(`${name} names ${path}, which is not there or is no PEM file.`)];
    if (effect === "replaces" && path === ca)
      return [
        bad(
          `${name} replaces what is trusted and names Weir's root alone: every request past Weir would fail. It should be ${bundle}.`,
        ),
      ];
    if (path === ca || path === bundle) return [good(`${name} names Weir's file.`)];
    return [note(`${name} names ${path}, which is not Weir's file: tools that read it do not trust Weir.`)];
  });
}

/** hub-targets.md, 0.3: measured per version. */
function nodeFindings(variables: Variables, output: string): readonly Finding[] {
  const version = /^(?:node: )?v(\d+)\.(\d+)\./m.exec(output);
  if (version === null) return [];
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const whole = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
  const name = `Node.js ${major}.${minor}`;
  if (major === 24 && !whole) return [bad(`${name} uses NODE_USE_ENV_PROXY for fetch only, not for node:https.`)];
  if (!whole)
    return [
      bad(`${name} ignores NODE_USE_ENV_PROXY without a word. Use the forms for older versions on Node.js's page.`),
    ];
  if (variables.get("NODE_USE_ENV_PROXY") === "1") return [good(`${name} uses the proxy variables.`)];
  return [note(`${name} uses the proxy variables only with NODE_USE_ENV_PROXY=1.`)];
}

function pythonFindings(output: string): readonly Finding[] {
  const version = /^(?:python3?: )?Python (\d+)\.(\d+)/m.exec(output);
  if (version === null) return [];
  const strict = Number(version[2]) >= 13 ? " It checks certificates strictly; Weir's own pass." : "";
  const text = `Python ${version[1]}.${version[2]}: requests, httpx and urllib.request use the proxy variables, urllib3 and aiohttp do not by themselves.`;
  return [note(text + strict)];
}

function curlFindings(output: string): readonly Finding[] {
  const version = /^(?:curl(?:\.exe)?: )?curl (\d+\.\d+)\S*(.*)$/m.exec(output);
  if (version === null) return [];
  if (version[2]?.includes("Schannel"))
    return [
      bad(
        `curl ${version[1]} is built with Schannel: it does not read CURL_CA_BUNDLE, and asks for a revocation list, which Weir's certificates do not name. Use one that is built with OpenSSL.`,
      ),
    ];
  return [good(`curl ${version[1]} uses the proxy variables and CURL_CA_BUNDLE.`)];
}

function unverifiedFindings(variables: Variables): readonly Finding[] {
  return Object.entries(UNVERIFIED).flatMap(([name, value]) => {
    const found = variables.get(name);
    const off = found !== undefined && found !== "" && (value === "*" || found === value);
    return off
      ? [bad(`${name} switches the check of certificates off for all hosts. Weir does not need it: unset it.`)]
      : [];
  });
}

const good = (text: string): Finding => ({ tone: "good", text });
const bad = (text: string): Finding => ({ tone: "bad", text });
const note = (text: string): Finding => ({ tone: "note", text });
