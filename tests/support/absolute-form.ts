/** A GET request to a.test in absolute-form, as clients send it to a proxy. */
export function get(port: number, path = "/", ...lines: readonly string[]): string {
  return request("GET", port, path, ...lines);
}

export function request(method: string, port: number, path = "/", ...lines: readonly string[]): string {
  return [`${method} http://a.test:${port}${path} HTTP/1.1`, `Host: a.test:${port}`, ...lines, "\r\n"].join("\r\n");
}
