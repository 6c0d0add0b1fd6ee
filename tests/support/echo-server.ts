import { createServer, type Server } from "node:https";
import { servedBy, type TestAuthority } from "./test-authority.ts";

/** A local replacement for a public echo host, on a free port: returns each request's data over TLS. */
export async function echoServer(authority: TestAuthority): Promise<Server> {
  const server = createServer(servedBy(authority), (request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(`${JSON.stringify({ method: request.method, url: request.url })}\n`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
