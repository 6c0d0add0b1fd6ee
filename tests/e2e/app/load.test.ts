import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

const REQUESTS = 50_000;
const CONNECTIONS = 64;
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

/** Responds to every request head with the same bytes. */
function plainServer() {
  return createServer({ noDelay: true }, (socket) => {
    let pending = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const heads = (pending + chunk.toString("latin1")).split("\r\n\r\n");
      pending = heads.pop() ?? "";
      if (heads.length > 0) socket.write(ANSWER.repeat(heads.length));
    });
  });
}

/** A connection that sends the next request once the previous one was answered, until none are left. */
function asker(port: number, next: () => number | null): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let received = "";
    const socket: Socket = connect(port, "127.0.0.1");
    const ask = () => {
      const index = next();
      if (index === null) {
        socket.destroy();
        return resolve(answered);
      }
      socket.write(
        `GET http://load.test/item/${index % 200}?n=${index} HTTP/1.1\r\nHost: load.test\r\nUser-Agent: load\r\n\r\n`,
      );
    };
    socket.on("error", reject);
    socket.on("connect", ask);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!received.endsWith("\r\n\r\nhello")) return;
      received = "";
      answered += 1;
      ask();
    });
  });
}

describe("load of 50,000 requests", (test) => {
  test("given 50,000 requests, responds to and counts all, drops none and still filters them", async () => {
    const server = plainServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const weir = await runningWeir(["--host-override", `load.test=127.0.0.1:${port}`]);
    try {
      let asked = 0;
      const next = () => (asked < REQUESTS ? asked++ : null);
      const answered = await Promise.all(Array.from({ length: CONNECTIONS }, () => asker(weir.proxy.port, next)));
      assert.is(
        answered.reduce((sum, count) => sum + count, 0),
        REQUESTS,
      );
      const client = await PageClient.open(weir);
      const summary = await client.value({ view: "summary" }, ({ counted }) => counted >= REQUESTS);
      assert.is(summary.counted, REQUESTS);
      assert.is(summary.dropped, 0);
      assert.is(summary.errors, 0);
      const sort = { column: "id", descending: false } as const;
      const rows = await client.list({
        view: "traffic",
        filter: "/item/7?n=49",
        sort,
        range: { from: 0, count: 500 },
      });
      const expected = Array.from({ length: REQUESTS }, (_, index) => index).filter(
        (index) => index % 200 === 7 && String(index).startsWith("49"),
      );
      assert.is(rows.length, expected.length);
      client.close();
    } finally {
      await weir.stop();
      server.close();
    }
  });
});
