import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** Nearly as long as a head may be. */
const BLANKS = " ".repeat(125_000);
/** CPU time in ms of the thread that client, proxy and server share here. */
const LIMIT = 200;

const LINES = [
  `Connection: x${BLANKS}y`,
  `Connection: x${"\t".repeat(125_000)}y`,
  `Connection: x${" ,".repeat(62_000)}y`,
  `Connection: TE\r\nTE: x${BLANKS}y`,
  `Transfer-Encoding: x${BLANKS}y`,
  `Connection: Upgrade\r\nUpgrade: x${BLANKS}y`,
  `Content-Length: 1${BLANKS}2`,
  `Content-Type: text/event-stream${BLANKS}y`,
  `A: b${"\r\n c".repeat(31_000)}`,
  `Content-Length: 1${",1".repeat(62_000)}`,
  `${"A : b\n".repeat(900)}C: d`,
  `A${BLANKS}: b`,
];

describe("header lines of the maximum length", (test) => {
  for (const line of LINES) {
    const title = `${JSON.stringify(line.slice(0, 32))} and ${line.length} more characters`;
    test(`given ${title} in a request and a response, serves another client without delay`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(
          answering((head) => (head.startsWith("GET /long") ? `HTTP/1.1 200 OK\r\n${line}\r\n\r\n` : ok("x"))),
        );
        const authority = `a.test:${server.port}`;
        const [hostile, waiting, good] = await Promise.all(Array.from({ length: 3 }, () => RawPeer.to(proxy.port)));
        const before = process.threadCpuUsage();
        hostile?.send(`GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n${line}\r\n\r\n`);
        waiting?.send(`GET http://${authority}/long HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
        await Promise.all([hostile?.until("\r\n"), waiting?.until("\r\n")]);
        good?.send(`GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
        assert.match((await good?.head()) ?? "", /^HTTP\/1\.1 200 /);
        const { user, system } = process.threadCpuUsage(before);
        assert.ok((user + system) / 1_000 < LIMIT, `took ${(user + system) / 1_000} ms`);
        for (const peer of [hostile, waiting, good]) peer?.close();
      }));
  }
});
