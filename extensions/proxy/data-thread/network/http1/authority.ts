/**
 * A name, an IPv4 address or an IPv6 address in brackets, and an optional port (RFC 3986, 3.2.2, without comma and
 * user-info).
 */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z\-._~!$&'()*+;=%]+)(?::(\d{0,5}))?$/;

/** Whether `text` is valid in Host or after `scheme://`: exactly one host, without user-info, comma or space. */
export function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

/** Whether `text` is a valid target of CONNECT, which must have a port (RFC 9110, 9.3.6). */
export function isConnectTarget(text: string): boolean {
  const match = AUTHORITY.exec(text);
  const port = Number(match?.[1] ?? 0);
  return port >= 1 && port <= 65_535;
}
