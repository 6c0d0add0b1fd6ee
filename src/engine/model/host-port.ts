/** `host:port`, with an IPv6 address in brackets, as in URLs. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** The wildcard addresses: a listener there accepts connections to any address of this machine. */
export const ANY_ADDRESS: readonly string[] = Object.freeze(["0.0.0.0", "::"]);

/** Matches `localhost`, all of 127/8 (also short forms such as 127.1), and `::1` with or without brackets. */
const LOOPBACK = /^(127(\.\d+){1,3}|::1|\[::1\]|localhost)$/i;

/** Whether a listener at `address` accepts only clients on this machine. */
export function isThisMachine(address: string): boolean {
  return LOOPBACK.test(address);
}

/** The address at which programs on this machine reach a listener at `address`. */
export function localAddress(address: string): string {
  return ANY_ADDRESS.includes(address) ? "127.0.0.1" : address;
}
