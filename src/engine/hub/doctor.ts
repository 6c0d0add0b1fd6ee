import { hostPort } from "../model/host-port.ts";
import type { Shell } from "../quoting/shell.ts";
import { CERTIFICATE_VARIABLES, PROXY_VARIABLES, UNVERIFIED, VARIABLES } from "./doctor-command.ts";
import { proxyUrl, type Values } from "./target.ts";

/** One conclusion about a terminal from the pasted output. */
export interface Diagnosis {
  readonly tone: "good" | "bad" | "note";
  readonly text: string;
}

/**
 * Explains what a terminal's variables mean for clients started in it. Compares the variables with the current proxy
 * and files.
 */
export function explain(output: string, values: Values, shell: Shell): readonly Diagnosis[] {
  const variables = variablesOf(output);
  // Only these shells distinguish the letter case of variable names: Windows ignores it.
  const tellsCase = shell === "sh" || shell === "fish";
  if (variables.size === 0 && !/^(?:(?:node|python3?|curl(?:\.exe)?): |v\d+\.|Python \d|curl \d)/m.test(output))
    return [bad("This is not the output of the command. Run the command above, then paste its whole output.")];
  const valueIn = (name: string): string => variables.get(name) ?? "";
  const found = [
    ...proxyDiagnoses(variables, values, tellsCase),
    ...["ALL_PROXY", "all_proxy"].map((name) => otherProxyDiagnosis(name, valueIn(name), values)),
    ...["NO_PROXY", "no_proxy"].map((name) => bypassDiagnosis(name, valueIn(name))),
    ...Object.entries(CERTIFICATE_VARIABLES).map(([name, effect]) =>
      fileDiagnosis(name, effect, valueIn(name), output, values),
    ),
    nodeDiagnosis(variables, output),
    pythonDiagnosis(output),
    curlDiagnosis(output),
    ...Object.keys(UNVERIFIED).map((name) => unverifiedDiagnosis(name, valueIn(name))),
  ];
  return Object.freeze(found.filter((one) => one !== null));
}

/**
 * What happens if a scheme's variable is missing in both letter cases (`NEITHER_CASE`), or only in lower case
 * (`NO_LOWER_CASE`).
 */
const NEITHER_CASE = {
  https: "HTTPS_PROXY is not set: https requests bypass the proxy.",
  http: "HTTP_PROXY is not set: http requests bypass the proxy, and so do all requests of Ruby.",
} as const;
const NO_LOWER_CASE = {
  https: "https_proxy is not set in lower case, the only form that wget reads.",
  http: "http_proxy is not set in lower case. For http URLs curl reads only this form. Ruby reads this form for https URLs too.",
} as const;

type Variables = ReadonlyMap<string, string>;

function variablesOf(output: string): Variables {
  const found = new Map<string, string>();
  for (const line of output.split(/\r?\n/)) {
    const [, name, value = ""] = /^\s*([A-Za-z_]+)=(.*)/.exec(line) ?? [];
    if (name !== undefined && VARIABLES.includes(name)) found.set(name, value.trim());
  }
  return found;
}

function proxyDiagnoses(variables: Variables, values: Values, tellsCase: boolean): readonly Diagnosis[] {
  const set = PROXY_VARIABLES.filter((name) => (variables.get(name) ?? "") !== "");
  if (set.length === 0)
    return [
      bad("No proxy variable is set, so this terminal's programs connect directly. Paste the block from Snippets."),
    ];
  const diagnoses = set
    .map((name) => proxyDiagnosis(name, variables.get(name) ?? "", values))
    .filter((one) => one !== null);
  for (const scheme of ["https", "http"] as const) {
    const names = set.filter((name) => name.toLowerCase() === `${scheme}_proxy`);
    if (names.length === 0) diagnoses.push(bad(NEITHER_CASE[scheme]));
    else if (tellsCase && !names.includes(`${scheme}_proxy`)) diagnoses.push(bad(NO_LOWER_CASE[scheme]));
  }
  if (diagnoses.length === 0)
    diagnoses.push(good(`The proxy variables point at Weir (${hostPort(values.host, values.port)}).`));
  return diagnoses;
}

/** The problem of one variable; `null` if all tools that read it use Weir. */
function proxyDiagnosis(name: string, value: string, values: Values): Diagnosis | null {
  const wanted = proxyUrl(values);
  const named = addressIn(value);
  const [own, localhost, lan] = [values.host, "localhost", values.lan].map((host) =>
    host === null ? null : hostPort(host, values.port),
  );
  if (named !== own && named !== localhost && named !== lan)
    return bad(`${name} points at ${named}; Weir listens on ${own}.`);
  const scheme = /^[a-z0-9]+:\/\//i.exec(value)?.[0].toLowerCase();
  if (scheme === undefined)
    return bad(
      `${name} has no scheme. curl, git, wget, Go and Python accept that; Node.js, npm and Ruby do not. Set ${name} to ${wanted}.`,
    );
  if (scheme === "socks5://" || scheme === "socks5h://")
    return bad(
      `${name} begins with ${scheme}. Weir speaks SOCKS 5, but many tools do not, wget among them. Set ${name} to ${wanted}.`,
    );
  if (scheme !== "http://")
    return bad(
      `${name} begins with ${scheme}. The proxy URL must start with http://, even for https:// requests. Set ${name} to ${wanted}.`,
    );
  if (named === localhost)
    return note(`${name} names localhost, which may resolve to the IPv6 address ::1. ${wanted} always works.`);
  if (named !== own)
    return note(
      `${name} names this computer's network address, which works while Weir is reachable from the local network. ${wanted} always works.`,
    );
  return value.includes("@")
    ? note(`${name} has a user name and password, which Weir does not need. ${wanted} is enough.`)
    : null;
}

/** `host:port` of a proxy's URL, without credentials. */
function addressIn(url: string): string {
  return url
    .replace(/^[a-z0-9]+:\/\//i, "")
    .replace(/^.*@/, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/**
 * Diagnoses an ALL_PROXY that does not name Weir. Most tools prefer the other variables, but Deno prefers ALL_PROXY.
 */
function otherProxyDiagnosis(name: string, value: string, values: Values): Diagnosis | null {
  const url = value.replace(/\/$/, "");
  if (url === "" || url === proxyUrl(values)) return null;
  return bad(`${name} points at ${addressIn(url)}, and Deno prefers this variable to the others. Unset ${name}.`);
}

function bypassDiagnosis(name: string, value: string): Diagnosis | null {
  if (value === "") return null;
  const text = value.split(",").some((host) => host.trim() === "*") ? "everything" : value;
  return bad(`${name} excludes ${text} from the proxy. Empty ${name}.`);
}

/** `path`: the value of a variable that names a certificate file; "" if it is not set. */
function fileDiagnosis(
  name: string,
  effect: "replaces" | "adds",
  path: string,
  output: string,
  values: Values,
): Diagnosis | null {
  const { ca, bundle, der } = values;
  if (path === "") return null;
  if (path === der) return bad(`${name} names the DER file for phones. The file must be PEM.`);
  if (new RegExp(`^${name} is no pem`, "m").test(output))
    return bad(`${name} names ${path}, which is missing or not a PEM file.`);
  if (effect === "replaces" && path === ca)
    return bad(
      `${name} replaces the trusted roots with Weir's alone, so https requests that bypass Weir would fail. Set ${name} to ${bundle}.`,
    );
  if (path === ca || path === bundle) return good(`${name} names Weir's certificate file.`);
  return note(
    `${name} names ${path}, which is not Weir's certificate file, so tools that read ${name} do not trust Weir.`,
  );
}

/** Diagnoses Node.js by its version. The rules come from measurements with each version. */
function nodeDiagnosis(variables: Variables, output: string): Diagnosis | null {
  const version = /^(?:node: )?v(\d+)\.(\d+)\./m.exec(output);
  if (version === null) return null;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const whole = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
  const name = `Node.js ${major}.${minor}`;
  if (major === 24 && !whole) return bad(`${name} uses NODE_USE_ENV_PROXY for fetch only, not for node:https.`);
  if (!whole)
    return bad(`${name} silently ignores NODE_USE_ENV_PROXY. Use the snippets for older versions on the Node.js page.`);
  if (variables.get("NODE_USE_ENV_PROXY") === "1") return good(`${name} uses the proxy variables.`);
  return note(`${name} uses the proxy variables only with NODE_USE_ENV_PROXY=1.`);
}

function pythonDiagnosis(output: string): Diagnosis | null {
  const version = /^(?:python3?: )?Python (\d+)\.(\d+)/m.exec(output);
  if (version === null) return null;
  const strict =
    Number(version[2]) >= 13 ? " This version checks certificates strictly; Weir's certificates pass." : "";
  const text = `Python ${version[1]}.${version[2]}: requests, httpx and urllib.request use the proxy variables. aiohttp needs trust_env=True, and urllib3 ignores them.`;
  return note(text + strict);
}

function curlDiagnosis(output: string): Diagnosis | null {
  const version = /^(?:curl(?:\.exe)?: )?curl (\d+\.\d+)(.*)/m.exec(output);
  if (version === null) return null;
  if (version[2]?.includes("Schannel"))
    return bad(
      `curl ${version[1]} is built with Schannel. This curl ignores CURL_CA_BUNDLE and asks for a revocation list, which Weir's certificates do not name. Use a curl built with OpenSSL.`,
    );
  return good(`curl ${version[1]} uses the proxy variables and CURL_CA_BUNDLE.`);
}

function unverifiedDiagnosis(name: string, found: string): Diagnosis | null {
  const value = UNVERIFIED[name];
  const isOff = found !== "" && (value === "*" || found === value);
  return isOff
    ? bad(`${name} turns off certificate checks for all hosts. Weir does not need that. Unset ${name}.`)
    : null;
}

const good = (text: string): Diagnosis => ({ tone: "good", text });
const bad = (text: string): Diagnosis => ({ tone: "bad", text });
const note = (text: string): Diagnosis => ({ tone: "note", text });
