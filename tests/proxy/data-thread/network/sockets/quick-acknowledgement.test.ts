import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { acknowledger } from "../../../../../extensions/proxy/data-thread/network/sockets/quick-acknowledgement.ts";
import { describe } from "../../../../support/describe.ts";

const REQUESTS = 20;
/** Linux delays an acknowledgement by at least 40 ms. */
const DELAYED = 35;

/** How long each body came after its head. `onHead`: called when a head arrived. */
async function gapsBetween(onHead: (socket: Socket) => void): Promise<readonly number[]> {
  const gaps: number[] = [];
  const server = createServer((socket) => {
    let headAt: number | null = null;
    socket.on("data", (bytes) => {
      if (headAt === null) {
        headAt = performance.now();
        onHead(socket);
      }
      if (!bytes.toString().endsWith("body")) return;
      gaps.push(performance.now() - headAt);
      headAt = null;
      socket.write("answer");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(client, "connect");
  for (let count = 0; count < REQUESTS; count += 1) {
    client.write("head");
    setImmediate(() => client.write("body"));
    await once(client, "data");
  }
  client.destroy();
  server.close();
  return gaps;
}

describe("quick acknowledgement", (test) => {
  const acknowledge = acknowledger();
  const skip = acknowledge === null ? "needs Linux" : null;

  test(
    "given heads that a client sends before their bodies with Nagle's algorithm, no body waits for a delayed one",
    async () => {
      const gaps = await gapsBetween((socket) => acknowledge?.(socket));
      assert.is(gaps.length, REQUESTS);
      const late = gaps.filter((gap) => gap >= DELAYED);
      assert.ok(late.length < REQUESTS / 2, `${late.length} late: ${gaps.map((gap) => gap.toFixed(1)).join(" ")}`);
    },
    { skip },
  );

  test(
    "given a closed socket, does nothing",
    () => {
      const socket = connect(1, "127.0.0.1").on("error", () => {});
      socket.destroy();
      acknowledge?.(socket);
    },
    { skip },
  );
});
