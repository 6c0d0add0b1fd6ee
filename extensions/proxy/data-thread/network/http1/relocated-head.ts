import { authorityOf, type Origin, originOf } from "../origin.ts";

/** The origin of a reverse port, and the address at which the client reached the port. */
export interface Relocation {
  readonly origin: Origin;
  /** `http://host:port`, as in the client's request. */
  readonly base: string;
}

/**
 * The response's head for a client of a reverse port (docs/specification.md, Reverse ports). A Location at the origin
 * leads to the port instead; cookies of the origin become cookies of the port. All other bytes stay unchanged.
 */
export function relocatedHead(head: string, relocation: Relocation): string {
  // A shortcut, since almost no head has one of these fields.
  if (!/\r\n(?:location|set-cookie):/i.test(head)) return head;
  const lines = head.split("\r\n").map((line, index) => (index === 0 ? line : relocatedLine(line, relocation)));
  return lines.join("\r\n");
}

function relocatedLine(line: string, relocation: Relocation): string {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon).toLowerCase();
  if (name !== "location" && name !== "set-cookie") return line;
  const field = line.slice(colon + 1);
  const value = field.trimStart();
  const relocated = name === "location" ? locationAt(value, relocation) : cookieAt(value, relocation);
  return line.slice(0, line.length - value.length) + relocated;
}

/** A Location at the port, as nginx makes it by default (proxy_redirect). A relative Location stays unchanged. */
function locationAt(value: string, { origin, base }: Relocation): string {
  const [start = "", scheme = "", named = ""] = /^(https?):\/\/([^/?#\\\s]*)(?=[/?#]|\s*$)/i.exec(value) ?? [];
  const authority = authorityOf(named);
  if (authority === null) return value;
  const isOurs = originOf(scheme.toLowerCase() === "http" ? "http" : "https", authority).text === origin.text;
  return isOurs ? base + value.slice(start.length) : value;
}

/**
 * A cookie for the port, as nginx's proxy_cookie_domain and proxy_cookie_flags make it. Removes the origin's Domain,
 * which the client would refuse from another host (RFC 6265, 5.3). Removes Secure where browsers do not require it,
 * because many clients send no Secure cookie over http (4.1.2.5).
 */
function cookieAt(value: string, { origin }: Relocation): string {
  const [pair = "", ...attributes] = value.split(";");
  const isBound = needsSecure(pair, attributes);
  const kept = attributes.filter((attribute) => {
    const [name = "", domain = ""] = attribute.split("=", 2).map((text) => text.trim().toLowerCase());
    if (name === "domain") return !covers(domain, origin.host);
    return name !== "secure" || isBound;
  });
  return [pair, ...kept].join(";");
}

/** Whether a browser refuses the cookie without Secure (draft-ietf-httpbis-rfc6265bis, 4.1.2.7, 4.1.3; CHIPS). */
function needsSecure(pair: string, attributes: readonly string[]): boolean {
  return (
    /^\s*__(?:secure|host)-/i.test(pair) ||
    attributes.some((attribute) => /^\s*(?:samesite\s*=\s*none|partitioned)\s*$/i.test(attribute))
  );
}

/** Whether a cookie's Domain matches the host (RFC 6265, 5.1.3 and 5.2.3). */
function covers(domain: string, host: string): boolean {
  const bare = domain.replace(/^\./, "");
  return bare === host || host.endsWith(`.${bare}`);
}
