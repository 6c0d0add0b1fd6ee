/** `host:port`, with an IPv6 address in brackets, as in URLs. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
