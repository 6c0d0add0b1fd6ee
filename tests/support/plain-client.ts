import { RawPeer } from "./raw-peer.ts";
import type { TestProxy } from "./test-proxy.ts";

/**
 * The whole response to a minimal client. The client sends the URL to the proxy unchanged, even for `https`, and reads
 * to the end.
 */
export async function answerTo(proxy: Pick<TestProxy, "port">, url: string): Promise<string> {
  const client = await RawPeer.to(proxy.port);
  client.send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const answer = (await client.rest()).toString();
  client.close();
  return answer;
}
