import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Sends a value as JSON, with its length. */
export function sendJson(response: ServerResponse, value: unknown, headers: OutgoingHttpHeaders = {}): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length, ...headers });
  response.end(body);
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The path and query of a request. */
export const targetOf = (request: IncomingMessage): URL => new URL(request.url ?? "/", "http://localhost");

/** The segments of the path. */
export const segmentsOf = (request: IncomingMessage): string[] => targetOf(request).pathname.split("/").slice(1);
