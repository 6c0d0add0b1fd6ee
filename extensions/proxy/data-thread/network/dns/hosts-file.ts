import { isIP } from "node:net";
import type { Address } from "../network-options.ts";

/**
 * The addresses of `name` in a hosts file (hosts(5)), in the file's order. Both are in lower case. Searches the text, as
 * a table of a long list of blocked hosts would take more memory than the list.
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
