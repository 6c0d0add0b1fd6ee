/** `host:port`, an IPv6 address in brackets, as in a URL and in what a person reads. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
