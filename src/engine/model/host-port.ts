/** `host:port`, with an IPv6 address in brackets, as in URLs. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}
