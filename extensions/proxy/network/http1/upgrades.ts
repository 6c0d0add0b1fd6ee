import { isToken } from "./characters.ts";
import { withoutBlanks } from "./fields.ts";

/**
 * The protocols of an Upgrade line to forward, "" if none. Removes h2c, whose traffic we could not read (obsolete since
 * RFC 9113, 3.1; a server may stay with HTTP/1.1 by RFC 9110, 7.8), and invalid names, which a server could mistake for
 * it.
 */
export function upgradesIn(value: string): string {
  const protocols = value.split(",").map(withoutBlanks);
  return protocols.every(mayPass) ? value : protocols.filter(mayPass).join(", ");
}

/** RFC 9110, 7.8: a token, optionally with a version, which is a token too. */
function mayPass(protocol: string): boolean {
  const [name = "", ...versions] = protocol.split("/");
  return isToken(name) && name.toLowerCase() !== "h2c" && versions.length <= 1 && versions.every(isToken);
}
