import { once } from "node:events";
import { connect } from "node:net";
import * as assert from "uvu/assert";
import { errorTypeOf } from "../../../../../extensions/proxy/data-thread/network/sockets/error-type.ts";
import { DialledSockets } from "../../../../../extensions/proxy/data-thread/network/upstream/dialled-sockets.ts";
import { describe } from "../../../../support/describe.ts";
import { rawServer } from "../../../../support/raw-server.ts";

describe("dialled sockets", (test) => {
  test("given a connection that arrives from our own end for the same host, breaks ours off as a loop", async () => {
    const [server, dialled] = [await rawServer(), new DialledSockets()];
    const ours = connect(server.port, "127.0.0.1");
    await once(ours, "connect");
    dialled.add(ours, ["a.test"]);
    const { socket: arrived } = await server.peer(0);
    assert.is(dialled.breakLoop(arrived, "b.test"), false);
    const [failed, closed] = [once(ours, "error"), new Promise((resolve) => ours.once("close", resolve))];
    assert.is(dialled.breakLoop(arrived, "a.test"), true);
    const [error] = await failed;
    const { errorType, detail } = errorTypeOf(error);
    assert.is(errorType, "loop-refused");
    assert.match(detail, "Let the redirect leave out the user as whom Weir runs.");
    await closed;
    assert.is(dialled.breakLoop(arrived, "a.test"), false, "a closed connection is forgotten");
    await server.stop();
  });

  test("given a connection of another program, knows it is not ours", async () => {
    const [server, dialled] = [await rawServer(), new DialledSockets()];
    const [ours, others] = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    await Promise.all([once(ours, "connect"), once(others, "connect")]);
    dialled.add(ours, ["a.test"]);
    for (const index of [0, 1]) {
      const { socket } = await server.peer(index);
      if (socket.remotePort === others.localPort) assert.is(dialled.breakLoop(socket, "a.test"), false);
    }
    ours.destroy();
    others.destroy();
    await server.stop();
  });
});
