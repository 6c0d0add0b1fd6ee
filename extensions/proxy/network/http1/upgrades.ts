import { isToken } from "./characters.ts";
import { withoutBlanks } from "./fields.ts";

/**
 * The protocols of an Upgrade line that may be forwarded; "" if there are none. Without h2c, whose traffic Weir could
 * not read (obsolete since RFC 9113, 3.1; by RFC 9110, 7.8, a server may stay with HTTP/1.1), and without invalid
 * names, which a server could take for h2c.
 */
export function upgradesIn(value: string): string {
  const protocols = value.split(",").map(withoutBlanks);
  return protocols.every(mayPass) ? value : protocols.filter(mayPass).join(", ");
}

/** RFC 9110, 7.8: a token, and optionally a version, which is a token, too. */
function mayPass(protocol: string): boolean {
  const [name = "", ...versions] = protocol.split("/");
  return isToken(name) && name.toLowerCase() !== "h2c" && versions.length <= 1 && versions.every(isToken);
}
