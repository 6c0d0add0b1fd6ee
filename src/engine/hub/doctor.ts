import { hostPort } from "../model/host-port.ts";
import type { Shell } from "../quoting/shell.ts";
import type { Values } from "./target.ts";
import { proxyUrl } from "./target.ts";

/** One thing that the pasted output says about a terminal. */
export interface Finding {
  readonly tone: "good" | "bad" | "note";
  readonly text: string;
}

const PROXY_VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] as const;
const OTHER_VARIABLES = ["ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "NODE_USE_ENV_PROXY"] as const;

/** Variables that name a certificate file, and what they do with it. */
const CERTIFICATE_VARIABLES = {
  SSL_CERT_FILE: "replaces",
  CURL_CA_BUNDLE: "replaces",
  REQUESTS_CA_BUNDLE: "replaces",
  GIT_SSL_CAINFO: "replaces",
  AWS_CA_BUNDLE: "replaces",
  npm_config_cafile: "replaces",
  NODE_EXTRA_CA_CERTS: "adds",
  DENO_CERT: "adds",
} as const;

/** Variables that make tools accept any certificate, and the value that does so. Named only to be found. */
const UNVERIFIED: Readonly<Record<string, string>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  GIT_SSL_NO_VERIFY: "*",
  PYTHONHTTPSVERIFY: "0",
};

const FILE_NAMES = Object.keys(CERTIFICATE_VARIABLES);
const NAMES = [...PROXY_VARIABLES, ...OTHER_VARIABLES, ...FILE_NAMES, ...Object.keys(UNVERIFIED)];
const TOOLS = ["node", "python3", "curl"];

/**
 * A command that only reads: it prints the proxy and certificate variables of a terminal as `NAME=value`, whether each
 * named file is PEM as `NAME is pem`, and the versions of three tools as `node: v26.10.0` (cmd: as each prints it).
 */
export function doctorCommand(shell: Shell): string {
  const pattern = `^(${NAMES.join("|")})=`;
  switch (shell) {
    case "sh":
      return [
        `env | grep -E '${pattern}'`,
        `for n in ${FILE_NAMES.join(" ")}; do p=$(printenv $n) && { grep -q 'BEGIN CERTIFICATE' "$p" 2>/dev/null && echo "$n is pem" || echo "$n is no pem"; }; done`,
        `for t in ${TOOLS.join(" ")}; do echo "$t: $($t --version 2>&1 | head -n 1)"; done`,
      ].join("\n");
    case "fish":
      return [
        `env | grep -E '${pattern}'`,
        `for n in ${FILE_NAMES.join(" ")}; if set -q $n; grep -q 'BEGIN CERTIFICATE' $$n 2>/dev/null; and echo "$n is pem"; or echo "$n is no pem"; end; end`,
        `for t in ${TOOLS.join(" ")}; echo $t: ($t --version 2>&1 | head -n 1); end`,
      ].join("\n");
    case "powershell":
      return [
        `Get-ChildItem Env: | Where-Object { "$($_.Name)=" -match '${pattern}' } | ForEach-Object { "$($_.Name)=$($_.Value)" }`,
        `foreach ($n in ${FILE_NAMES.map((name) => `'${name}'`).join(", ")}) { $p = [Environment]::GetEnvironmentVariable($n); if ($p) { if ((Test-Path $p) -and (Select-String -Quiet 'BEGIN CERTIFICATE' $p)) { "$n is pem" } else { "$n is no pem" } } }`,
        'foreach ($t in "node", "python", "curl.exe") { "$($t): $(& $t --version 2>&1 | Select-Object -First 1)" }',
      ].join("\n");
    case "cmd":
      return [
        `for %n in (${[...new Set(NAMES.map((name) => name.toUpperCase()))].join(" ")}) do @if defined %n set %n`,
        `for %n in (${FILE_NAMES.join(" ")}) do @if defined %n for /f "tokens=1* delims==" %a in ('set %n') do @(findstr /m /c:"BEGIN CERTIFICATE" "%b" 2>nul && echo %n is pem || echo %n is no pem)`,
        ...["node", "python", "curl"].map((tool) => `${tool} --version`),
      ].join("\n");
  }
}

/** What a terminal's printed variables mean for a client started from it, compared with the proxy and files of now. */
export function explain(output: string, values: Values, shell: Shell): readonly Finding[] {
  const variables = variablesOf(output);
  // On Windows a variable has one value, however its name is written.
  const tellsCase = shell === "sh" || shell === "fish";
  if (variables.size === 0 && !/^(?:\S+: \S|v\d+\.|Python \d|curl \d)/m.test(output))
    return [{ tone: "note", text: "This holds none of what the command prints. Paste its whole output." }];
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
    if (match?.[1] !== undefined && NAMES.includes(match[1])) found.set(match[1], match[2] ?? "");
  }
  return found;
}

function proxyFindings(variables: Variables, values: Values, tellsCase: boolean): readonly Finding[] {
  const wanted = proxyUrl(values);
  const set = PROXY_VARIABLES.filter((name) => (variables.get(name) ?? "") !== "");
  if (set.length === 0)
    return [
      {
        tone: "bad",
        text: "No proxy variable is set: programs of this terminal go directly. Paste the block of Snippets.",
      },
    ];
  const findings: Finding[] = set.flatMap((name) => proxyFinding(name, variables.get(name) ?? "", wanted, values));
  for (const scheme of ["https", "http"] as const) {
    const names = set.filter((name) => name.toLowerCase() === `${scheme}_proxy`);
    if (names.length === 0) findings.push(bad(NEITHER_CASE[scheme]));
    else if (tellsCase && !names.includes(`${scheme}_proxy`)) findings.push(bad(NO_LOWER_CASE[scheme]));
  }
  if (findings.length === 0)
    findings.push(good(`The proxy variables point at Weir (${hostPort(values.host, values.port)}).`));
  return findings;
}

function proxyFinding(name: string, value: string, wanted: string, values: Values): readonly Finding[] {
  const plain = value.replace(/\/$/, "");
  if (plain === wanted) return [];
  if (/^https:/i.test(plain))
    return [
      bad(`${name} begins with https://: Weir is spoken to in plain http, for https URLs too. It should be ${wanted}.`),
    ];
  const named = addressIn(plain);
  if (named === `localhost:${values.port}`)
    return [
      { tone: "note", text: `${name} says localhost, which may be the IPv6 address ::1. ${wanted} is always right.` },
    ];
  return [bad(`${name} points at ${named}; Weir listens on ${hostPort(values.host, values.port)}.`)];
}

/** `host:port` of a proxy's URL, without the password that may stand there. */
function addressIn(url: string): string {
  return url.replace(/^[a-z0-9]+:\/\//i, "").replace(/^.*@/, "");
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
    return [
      { tone: "note", text: `${name} names ${path}, which is not Weir's file: tools that read it do not trust Weir.` },
    ];
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
  return [{ tone: "note", text: `${name} uses the proxy variables only with NODE_USE_ENV_PROXY=1.` }];
}

function pythonFindings(output: string): readonly Finding[] {
  const version = /^(?:python3?: )?Python (\d+)\.(\d+)/m.exec(output);
  if (version === null) return [];
  const strict = Number(version[2]) >= 13 ? " It checks certificates strictly; Weir's own pass." : "";
  const text = `Python ${version[1]}.${version[2]}: requests, httpx and urllib.request use the proxy variables, urllib3 and aiohttp do not by themselves.`;
  return [{ tone: "note", text: text + strict }];
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
