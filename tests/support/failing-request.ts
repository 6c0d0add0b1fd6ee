import * as assert from "uvu/assert";
import type { ErrorType } from "../../src/engine/model/exchange.ts";
import { RawPeer } from "./raw-peer.ts";
import type { TestProxy } from "./test-proxy.ts";

/** Asserts the client's response and the captured row for a server that cannot be used. */
export async function failsWith(
  proxy: Pick<TestProxy, "port" | "traffic">,
  url: string,
  errorType: ErrorType,
  status: number,
  detail: string,
  from = "127.0.0.1",
): Promise<void> {
  const client = await RawPeer.to(proxy.port, from);
  client.send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const answer = (await client.rest()).toString();
  client.close();
  assert.match(answer, `HTTP/1.1 ${status} `);
  assert.match(answer, errorType);
  assert.match(answer, detail);
  const row = await proxy.traffic.row(proxy.traffic.rows.length - 1);
  const { outcome } = row.ended;
  assert.is(outcome.kind === "failed" ? outcome.errorType : "", errorType);
  assert.is(outcome.status, status);
  assert.match(outcome.kind === "failed" ? outcome.detail : "", detail);
  assert.is(row.response, null);
}
