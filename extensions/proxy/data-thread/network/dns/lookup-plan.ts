import { isIP } from "node:net";
import type { Address } from "../network-options.ts";
import { type ResolvConf, resolvConfOf } from "./resolv-conf.ts";
import type { SystemView } from "./system-files.ts";

/** How Weir looks up a name by itself. */
export type LookupPlan =
  /** The addresses are known without a query. */
  | { readonly kind: "known"; readonly addresses: readonly Address[] }
  | { readonly kind: "query"; readonly conf: ResolvConf }
  /** No service is left to ask. */
  | { readonly kind: "none" };

/** Services that Weir is able to replace, in the order of the file (nsswitch.conf(5)). */
const SERVICE = /^(?:files|dns|resolve|myhostname|mdns[46]?_minimal)$/;

/** The actions with which the packages of these services come. */
const ACTIONS: Readonly<Record<string, string>> = {
  resolve: "[!unavail=return]",
  mdns_minimal: "[notfound=return]",
  mdns4_minimal: "[notfound=return]",
  mdns6_minimal: "[notfound=return]",
};

/** Names that systemd answers by itself, beside this computer's own name (nss-myhostname(8)). */
const SYSTEMD_NAMES = /^(?:_gateway|_outbound|_localdnsstub|_localdnsproxy|(?:.+\.)?localhost\.localdomain)$/;

/** The address of systemd-resolved's stub, which answers as the module `resolve` does (systemd-resolved.service(8)). */
const STUB = "127.0.0.53";

const LOOPBACK: readonly Address[] = Object.freeze([
  { address: "::1", family: 6 },
  { address: "127.0.0.1", family: 4 },
]);

/** Returns `null` if only the system's own look-up gives the right answer. `name`: in lower case. */
export function lookupPlan(name: string, system: SystemView): LookupPlan | null {
  const services = servicesOf(system.text("nsswitch.conf"));
  if (services === null || hasRules(system.text("gai.conf"))) return null;
  const plain = name.replace(/\.$/, "");
  if (services.some((service) => service.startsWith("mdns")) && plain.endsWith(".local")) return null;
  if (services.includes("myhostname") && (plain === system.hostName() || SYSTEMD_NAMES.test(plain))) return null;
  const conf = resolvConfOf(system.text("resolv.conf"), system.hostName());
  const isResolved = services.includes("resolve") && system.hasResolved();
  if (conf === null || (isResolved && !isStub(conf))) return null;
  const listed = services.includes("files") ? addressesIn(system.text("hosts") ?? "", name) : [];
  if (listed.length > 0) return { kind: "known", addresses: listed };
  // RFC 6761, 6.3: these names are always loopback, and no server is asked for them.
  if (plain === "localhost" || plain.endsWith(".localhost")) return { kind: "known", addresses: LOOPBACK };
  return isResolved || services.includes("dns") ? { kind: "query", conf } : { kind: "none" };
}

/** The services of the line `hosts`; `null` if one of them, or an action, is none of ours. */
function servicesOf(text: string | null): readonly string[] | null {
  if (text === null) return ["files", "dns"];
  const lines = text.split("\n").flatMap((line) => /^\s*hosts:([^#]*)/.exec(line)?.[1] ?? []);
  const [line = ""] = lines;
  if (lines.length !== 1) return null;
  const services: string[] = [];
  for (const word of line.match(/\[[^\]]*\]?|[^\s[]+/g) ?? []) {
    if (!word.startsWith("[")) services.push(word);
    else if (word.replaceAll(/\s/g, "") !== ACTIONS[services.at(-1) ?? ""]) return null;
  }
  const inOrder = services.filter((service) => service === "files" || service === "dns");
  const isKnown =
    services.length > 0 && services.every((service) => SERVICE.test(service)) && inOrder.indexOf("files") <= 0;
  return isKnown ? services : null;
}

/** Whether gai.conf(5) changes the order of addresses. */
function hasRules(text: string | null): boolean {
  return (text ?? "").split("\n").some((line) => /^\s*[^#\s]/.test(line));
}

function isStub(conf: ResolvConf): boolean {
  return conf.servers.every((server) => server === STUB);
}

/**
 * The addresses of `name` in a hosts file (hosts(5)), in the file's order. Both are in lower case. Searches the text,
 * as a table of a long list of blocked hosts would take more memory than the list.
 */
export function addressesIn(hosts: string, name: string): readonly Address[] {
  const found: Address[] = [];
  let at = name === "" ? -1 : hosts.indexOf(name);
  while (at >= 0) {
    let next = at + name.length;
    if (isBlank(hosts, at - 1) && isBlank(hosts, next)) {
      const before = hosts.slice(hosts.lastIndexOf("\n", at) + 1, at);
      const [address = ""] = before.trim().split(/\s/, 1);
      const family = before.includes("#") || address.includes("%") ? 0 : isIP(address);
      if (family !== 0 && found.every((other) => other.address !== address))
        found.push({ address, family: family === 6 ? 6 : 4 });
      const end = hosts.indexOf("\n", next);
      // The first word is the address, not a name.
      if (address !== "") next = end < 0 ? hosts.length : end;
    }
    at = hosts.indexOf(name, next);
  }
  return found;
}

/** Whether no name goes on at this index. */
function isBlank(text: string, at: number): boolean {
  return at < 0 || at >= text.length || " \t\r\n\f\v#".includes(text.charAt(at));
}
