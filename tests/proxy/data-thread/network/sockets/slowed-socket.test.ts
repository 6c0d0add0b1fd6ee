import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LineDirection } from "../../../../../extensions/proxy/data-thread/network/sockets/emulated-line.ts";
import {
  joinSlowed,
  SlowedSocket,
  slowedBelow,
  slowingOf,
} from "../../../../../extensions/proxy/data-thread/network/sockets/slowed-socket.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { WarpedClock } from "../../../../support/warped-clock.ts";

/** A client's real socket, and Weir's end of it behind a line. */
async function withPair(
  figures: { readonly delay: number; readonly rate: number },
  body: (client: Socket, slowed: SlowedSocket, clock: WarpedClock) => Promise<unknown>,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const client = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true });
  const [raw] = (await once(server, "connection")) as [Socket];
  const clock = new WarpedClock(true);
  const direction = () => new LineDirection(figures, clock);
  const slowed = new SlowedSocket(raw, { up: direction(), down: direction() });
  slowed.on("error", () => {});
  client.on("error", () => {});
  try {
    await body(client, slowed, clock);
  } finally {
    client.destroy();
    slowed.destroy();
    server.close();
  }
}

async function allOf(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "end");
  return Buffer.concat(chunks);
}

const anyFigures = fc.record({ delay: fc.integer({ min: 0, max: 300 }), rate: fc.integer({ min: 0, max: 900 }) });

describe("slowed socket", (test) => {
  test("given any bytes and ends, delivers the same both ways, no sooner than the line allows", async () => {
    await fc.assert(
      fc.asyncProperty(anyFigures, fc.nat(300_000), fc.nat(100_000), async (figures, down, up) => {
        await withPair(figures, async (client, slowed, clock) => {
          const begun = clock.now();
          const sent = [Buffer.alloc(down, "down"), Buffer.alloc(up, "up")] as const;
          const [atClient, here] = [allOf(client), allOf(slowed)];
          slowed.end(sent[0]);
          client.end(sent[1]);
          assert.ok((await atClient).equals(sent[0]));
          if (down > 0) {
            const least = figures.delay + (figures.rate === 0 ? 0 : down / figures.rate);
            assert.ok(clock.now() - begun >= least - 1);
          }
          assert.ok((await here).equals(sent[1]));
          assert.is(slowed.bytesWritten, down);
        });
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given text and corked writes, sends their bytes in order", async () => {
    await withPair({ delay: 5, rate: 100 }, async (client, slowed) => {
      const received = allOf(client);
      slowed.cork();
      slowed.write("é", "latin1");
      slowed.write(Buffer.from([1, 2]));
      slowed.uncork();
      slowed.end("end", "latin1");
      assert.is((await received).toString("latin1"), "é\u0001\u0002end");
    });
  });

  test("given more than the line has room for, asks for a pause", async () => {
    await withPair({ delay: 1_000, rate: 10 }, async (_client, slowed) => {
      let asks = true;
      let written = 0;
      for (; asks && written < 10_000_000; written += 10_000) asks = slowed.write(Buffer.alloc(10_000));
      assert.ok(written < 200_000, String(written));
    });
  });

  test("given a connection that closes, says of what was written that it was not sent", async () => {
    await withPair({ delay: 1e9, rate: 1 }, async (client, slowed) => {
      slowed.write(Buffer.alloc(100));
      const sent = new Promise<boolean>((resolve) => slowed.whenSent(resolve));
      const closed = new Promise((resolve) => slowed.once("close", resolve));
      client.resetAndDestroy();
      assert.is(await sent, false);
      await closed;
      assert.is(slowed.held, 0);
    });
  });

  test("given a socket joined to a slowed one, finds the slowed one and takes over its addresses", async () => {
    await withPair({ delay: 0, rate: 0 }, async (_client, slowed) => {
      const inner = new (slowed.constructor as typeof SlowedSocket)(connectUnused(), { up: UNUSED, down: UNUSED });
      joinSlowed(inner, slowed);
      assert.is(slowedBelow(inner), slowed);
      assert.is(inner.remotePort, slowed.remotePort);
      inner.destroy();
    });
  });
});

const UNUSED = new LineDirection({ delay: 0, rate: 0 }, new WarpedClock(false));

function connectUnused(): Socket {
  const socket = connect({ port: 9, host: "127.0.0.1" });
  socket.destroy();
  return socket;
}

const ms = fc.integer({ min: 0, max: 900 });

describe("slowed exchange", (test) => {
  test("given times in which the line held bytes, counts those of the head, of the upload and of the response", () => {
    fc.assert(
      fc.property(ms, ms, ms, ms, ms, (head, before, upload, between, response) => {
        const held = { heldUp: before, heldDown: between, now: 0 as Instant };
        const socket = { ...held, heldUpSince: () => head };
        const client = { slowed: socket as unknown as SlowedSocket, whenSent: () => {} };
        const slowing = slowingOf(client, 0 as Instant);
        slowing?.uploadBegan();
        socket.heldUp += upload;
        slowing?.uploadEnded();
        slowing?.responseBegan();
        socket.heldDown += response;
        const slowed = { request: head, upload, response };
        assert.equal(slowing?.slowed, head + upload + response === 0 ? undefined : slowed);
      }),
    );
  });

  test("given a client without a slow line, does not exist", () => {
    assert.is(slowingOf({ slowed: null, whenSent: () => {} }, 0 as Instant), null);
    assert.is(slowingOf(undefined, 0 as Instant), null);
  });
});
