import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { servedBy, testAuthority } from "./test-authority.ts";

/*
 * A server for the ports 443 (HTTP/2 and HTTP/1.1) and 80 of the address in the first argument. Prints its root as one
 * line of JSON once it listens, and ends with its standard input.
 */
const [address = ""] = process.argv.slice(2);
const authority = testAuthority();
const secure = createSecureServer({ allowHTTP1: true, ...servedBy(authority) }, (request, response) => {
  response.end(`over TLS by HTTP/${request.httpVersion}`);
});
const plain = createServer((request, response) => response.end(`in clear by HTTP/${request.httpVersion}`));
for (const [server, port] of [
  [secure, 443],
  [plain, 80],
] as const)
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
process.stdout.write(`${JSON.stringify(authority.pem)}\n`);
process.stdin.on("end", () => process.exit()).resume();
