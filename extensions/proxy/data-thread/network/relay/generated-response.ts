import { STATUS_CODES } from "node:http";
import type { WriteBuffer } from "../sockets/write-buffer.ts";

export interface GeneratedResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  /** Further header lines, each `Name: value`. */
  readonly lines?: readonly string[];
}

/** A text response that reports an error, without further header lines. */
export function errorResponse(status: number, detail: string, code: string | null = null): GeneratedResponse {
  const title = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  const cause = code === null ? "" : `\nCause: ${code}\n`;
  return {
    status,
    type: "text/plain; charset=utf-8",
    body: `${title}\n\n${detail}\n${cause}\nThis response comes from Weir, not from the server.\n`,
  };
}

/** Writes the response at once; omits the body for HEAD. */
export function writeResponse(out: WriteBuffer, response: GeneratedResponse, method: string, keepAlive: boolean): void {
  out.add(headOf(response, keepAlive));
  if (method !== "HEAD") out.add(bodyOf(response));
  out.flush();
}

/** The head of the response. It forbids caching, sniffing and scripts, since generated pages need none of these. */
export function headOf(response: GeneratedResponse, keepAlive: boolean): string {
  const { status, type, body, lines = [] } = response;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `Content-Type: ${type}`,
    // RFC 9110, 8.6: a 204 has no Content-Length.
    ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ...lines,
    `Connection: ${keepAlive ? "keep-alive" : "close"}`,
    "\r\n",
  ].join("\r\n");
}

export function bodyOf(response: GeneratedResponse): Buffer {
  return typeof response.body === "string" ? Buffer.from(response.body, "utf8") : response.body;
}

/** The whole response, for a connection that closes after it. */
export function bytesOf(response: GeneratedResponse): Buffer {
  return Buffer.concat([Buffer.from(headOf(response, false), "latin1"), bodyOf(response)]);
}
