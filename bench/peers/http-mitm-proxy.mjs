// Plain JavaScript, so that the type check does not need packages that are installed only for a bench run. Nothing is
// recorded.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Proxy as MitmProxy } from "http-mitm-proxy";

const [folder] = process.argv.slice(2);
const proxy = new MitmProxy();
proxy.onError(() => {});
proxy.listen({ port: 0, host: "127.0.0.1", sslCaDir: folder, keepAlive: true }, (error) => {
  if (error) throw error;
  process.send({ ready: { port: proxy.httpPort, ca: readFileSync(join(folder, "certs", "ca.pem"), "utf8") } });
});
