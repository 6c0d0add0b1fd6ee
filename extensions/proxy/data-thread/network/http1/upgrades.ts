import { isToken, withoutBlanks } from "./fields.ts";

/**
 * The protocols of an Upgrade line that may be forwarded; "" if there are none. Omits h2c, whose traffic Weir could not
 * read: it is obsolete (RFC 9113, 3.1), and a server may ignore it anyway (RFC 9110, 7.8). Omits invalid names, because
 * a server could read one as h2c.
 */
export function upgradesIn(value: string): string {
  const protocols = value.split(",").map(withoutBlanks);
  return protocols.every(mayPass) ? value : protocols.filter(mayPass).join(", ");
}

/**
 * Whether the protocol is valid and not h2c. A protocol is a token, optionally with a version, also a token (RFC 9110,
 * 7.8).
 */
function mayPass(protocol: string): boolean {
  const [name = "", ...versions] = protocol.split("/");
  return isToken(name) && name.toLowerCase() !== "h2c" && versions.length <= 1 && versions.every(isToken);
}
