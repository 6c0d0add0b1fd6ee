import { STATUS_CODES } from "node:http";
import type { Outflow } from "./outflow.ts";

/** What Weir says by itself. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  /** Further header lines, each `Name: value`. */
  readonly lines?: readonly string[];
}

/** An answer about trouble, in words that stand alone. */
export function troubleAnswer(status: number, detail: string, code: string | null = null): Answer {
  const title = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  const cause = code === null ? "" : `\nCause: ${code}\n`;
  return {
    status,
    type: "text/plain; charset=utf-8",
    body: `${title}\n\n${detail}\n${cause}\nThis answer comes from Weir, not from the server.\n`,
  };
}

/** Writes the whole answer; to HEAD without its body. */
export function writeAnswer(out: Outflow, answer: Answer, method: string, keepAlive: boolean): void {
  out.add(headOf(answer, keepAlive));
  if (method !== "HEAD") out.add(bodyOf(answer));
  out.flush();
}

/** The answer's head. No store, no sniffing, and no script: pages of ours are as plain as they look. */
export function headOf(answer: Answer, keepAlive: boolean): string {
  const { status, type, body, lines = [] } = answer;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `Content-Type: ${type}`,
    // RFC 9110, 8.6.
    ...(status === 204 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
    ...lines,
    `Connection: ${keepAlive ? "keep-alive" : "close"}`,
    "\r\n",
  ].join("\r\n");
}

export function bodyOf(answer: Answer): Buffer {
  return typeof answer.body === "string" ? Buffer.from(answer.body, "utf8") : answer.body;
}
