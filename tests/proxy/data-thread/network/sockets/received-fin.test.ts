import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { hasReceivedFin } from "../../../../../extensions/proxy/data-thread/network/sockets/received-fin.ts";
import { describe } from "../../../../support/describe.ts";

const skip = process.platform === "win32" ? "needs descriptors of sockets" : null;

describe("a FIN that has arrived", (test) => {
  test(
    "given an open peer, is not seen; given one that has ended, is seen each time",
    async () => {
      const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
      const accepted = once(server, "connection");
      const client = connect(address.port, "127.0.0.1");
      const [socket] = (await accepted) as [Socket];
      assert.is(hasReceivedFin(socket), false);
      client.end();
      socket.resume();
      await once(socket, "end");
      assert.is(hasReceivedFin(socket), true);
      assert.is(hasReceivedFin(socket), true);
      socket.destroy();
      assert.is(hasReceivedFin(socket), null, "a closed socket has no descriptor");
      client.destroy();
      server.close();
    },
    { skip },
  );
});
