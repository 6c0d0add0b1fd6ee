import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import * as assert from "uvu/assert";
import type { Address } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { AddressRace } from "../../../../../extensions/proxy/data-thread/network/upstream/address-race.ts";
import { describe } from "../../../../support/describe.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";

const skip = process.platform === "linux" ? null : "needs all of 127.0.0.0/8";

/** RFC 8305, 5, less the time that a timer may be early. */
const STAGGER = 249;

const at = (last: number, family: 4 | 6 = 4): Address => ({ address: `127.0.0.${last}`, family });

/** Listens on some addresses of 127.0.0.0/8, all at one port. */
async function listening(...lasts: readonly number[]): Promise<{ readonly port: number; close(): void }> {
  const servers: Server[] = [];
  let port = 0;
  for (const last of lasts) {
    const server = createServer((socket) => socket.resume()).listen(port, at(last).address);
    await once(server, "listening");
    servers.push(server);
    port = (server.address() as AddressInfo).port;
  }
  return { port, close: () => servers.forEach((server) => void server.close()) };
}

/** The address that won a race; the error if none was reached. */
function winner(
  addresses: readonly Address[],
  port: number,
  late: Promise<readonly Address[]> | null = null,
): Promise<string | Error> {
  return new Promise((resolve) => {
    const race = new AddressRace(
      addresses,
      port,
      (result) => {
        if (result instanceof Error) return resolve(result);
        resolve(result.remoteAddress ?? "");
        result.destroy();
      },
      late,
    );
    race.start();
  });
}

/** A port on 127.0.0.1 that never responds: its listener is stopped, and its queue full. */
async function silentPort(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const sleeper = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(workerData, 0, 0);
       process.exit();
     });`,
    { eval: true, workerData: gate },
  );
  const [port] = (await once(sleeper, "message")) as [number];
  // A queue of one accepts two (listen(2)); further connections wait.
  const fillers: Socket[] = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  let connected = 0;
  await new Promise<void>((resolve) => {
    for (const socket of fillers)
      socket.once("connect", () => {
        connected += 1;
        if (connected === 2) resolve();
      });
  });
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      await once(sleeper, "exit");
    },
  };
}

describe("connection race of addresses (Happy Eyeballs)", (test) => {
  test(
    "given several addresses that answer, connects to the first",
    async () => {
      const { port, close } = await listening(2, 3);
      assert.is(await winner([at(3), at(2)], port), "127.0.0.3");
      close();
    },
    { skip },
  );

  test(
    "given an address that refuses, tries one of the other family next",
    async () => {
      const { port, close } = await listening(3, 4);
      assert.is(await winner([at(2), at(3), at(4, 6)], port), "127.0.0.4");
      close();
    },
    { skip },
  );

  test(
    "given an address that stays silent, also tries the next one after the stagger time",
    async () => {
      const silent = await silentPort();
      const server = createServer((socket) => socket.resume()).listen(silent.port, "127.0.0.2");
      await once(server, "listening");
      const began = performance.now();
      assert.is(await winner([at(1), at(2)], silent.port), "127.0.0.2");
      assert.ok(performance.now() - began >= STAGGER, "the first was tried alone for a while");
      server.close();
      await silent.close();
    },
    { skip },
  );

  test(
    "given addresses that all fail, reports the first failure",
    async () => {
      const { port, close } = await listening(2);
      close();
      const error = await winner([at(3), at(4)], port);
      assert.match(String(error), `ECONNREFUSED 127.0.0.3:${port}`);
    },
    { skip },
  );

  test(
    "given hundreds of addresses that refuse, at once or later, tries 32 of them",
    async () => {
      const { port, close } = await listening(2);
      close();
      const many = Array.from({ length: 200 }, (_, index) => at(3 + index));
      for (const late of [null, Promise.resolve(many)])
        await withMadeSockets("client", async (sockets) => {
          const error = await winner(late === null ? many : many.slice(0, 5), port, late);
          assert.match(String(error), "ECONNREFUSED 127.0.0.3");
          assert.is(sockets.length, 32);
        });
    },
    { skip },
  );

  test(
    "given addresses that come later, tries them where the first ones refuse or are silent",
    async () => {
      const { port, close } = await listening(2);
      assert.is(await winner([at(3)], port, Promise.resolve([at(2)])), "127.0.0.2");
      // The first attempt fails before the later addresses come.
      const refused = new Promise<readonly Address[]>((resolve) => {
        connect(port, "127.0.0.3").on("error", () => resolve([at(2)]));
      });
      assert.is(await winner([at(3)], port, refused), "127.0.0.2");
      assert.match(String(await winner([at(3)], port, Promise.resolve([]))), `ECONNREFUSED 127.0.0.3:${port}`);
      close();
      const silent = await silentPort();
      const server = createServer((socket) => socket.resume()).listen(silent.port, "127.0.0.2");
      await once(server, "listening");
      assert.is(await winner([at(1)], silent.port, Promise.resolve([at(2)])), "127.0.0.2");
      server.close();
      await silent.close();
    },
    { skip },
  );

  test(
    "given a cancelled race, calls nobody back",
    async () => {
      const { port, close } = await listening(2);
      let heard = 0;
      const race = new AddressRace([at(2)], port, () => {
        heard += 1;
      });
      race.start();
      race.cancel();
      // A later race reaches the listener; the first attempt would have reached it before.
      assert.is(await winner([at(2)], port), "127.0.0.2");
      assert.is(heard, 0);
      close();
    },
    { skip },
  );
});
