import { once } from "node:events";
import { constants, type ServerHttp2Stream } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { echo, http2Server } from "../../../../support/http2-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("shared HTTP/2 connection to a server", (test) => {
  test("given 40 streams of two clients, uses one connection and records its opening once", () =>
    withHttp2Ends(echo, async ({ proxy, server, session }) => {
      const other = await http2Client(proxy, `https://a.test:${server.port}`);
      const all = Array.from({ length: 40 }, (_, index) =>
        ask(index % 2 === 0 ? session : other, { ":path": `/${index}` }),
      );
      const paths = (await Promise.all(all)).map(({ headers }) => headers["x--path"]);
      assert.equal(
        paths,
        Array.from({ length: 40 }, (_, index) => `/${index}`),
      );
      await ask(session, { ":path": "/late" });
      await proxy.traffic.row(40);
      assert.is(server.sessions.length, 1);
      assert.is(proxy.traffic.connections.length, 1);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      assert.is(ends.filter(({ reused }) => reused === false).length, 1);
      const late = ends.at(-1);
      assert.is(late?.reused, true);
      assert.is(late?.instants.connectStart, null);
      assert.is(late?.instants.secureConnectionStart, null);
      assert.is(late?.instants.domainLookupStart, null);
      for (const { instants } of ends)
        if (instants.connectEnd !== null) assert.ok(instants.connectEnd >= instants.startTime);
      other.destroy();
    }));

  test("given 50 streams over one connection, records distinct odd stream ids and one connection id on each side", () =>
    withHttp2Ends(echo, async ({ proxy, session }) => {
      await ask(session, { ":path": "/first" });
      await Promise.all(Array.from({ length: 49 }, (_, index) => ask(session, { ":path": `/${index}` })));
      await proxy.traffic.row(49);
      const rows = proxy.traffic.rows;
      const connections = new Set(rows.map(({ ended }) => ended.connection));
      assert.equal([...connections], [proxy.traffic.connections[0]?.id]);
      const clients = new Set(rows.map(({ started }) => started.clientConnection));
      assert.equal([...clients], [1]);
      for (const streams of [rows.map(({ ended }) => ended.stream), rows.map(({ started }) => started.clientStream)]) {
        assert.is(new Set(streams).size, 50);
        assert.ok(streams.every((stream) => stream !== null && stream % 2 === 1));
      }
      assert.ok(rows.every(({ ended }) => ended.waitedFor === null));
    }));

  test("given requests while the connection opens, records that they waited for it, without its phases", () =>
    withHttp2Ends(echo, async ({ proxy, session }) => {
      await Promise.all(Array.from({ length: 12 }, (_, index) => ask(session, { ":path": `/${index}` })));
      await proxy.traffic.row(11);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      const openers = ends.filter(({ reused }) => reused === false);
      assert.equal(
        openers.map(({ waitedFor, instants }) => [waitedFor, instants.secureConnectionStart !== null]),
        [[null, true]],
      );
      const connectEnd = openers[0]?.instants.connectEnd ?? Number.NaN;
      for (const { reused, waitedFor, instants } of ends.filter((end) => !openers.includes(end))) {
        assert.equal([reused, waitedFor], [true, "connection"]);
        const { domainLookupStart, connectStart, secureConnectionStart } = instants;
        assert.equal([domainLookupStart, connectStart, secureConnectionStart], [null, null, null]);
        assert.ok((instants.requestStart ?? 0) >= connectEnd && (instants.headReceived ?? 0) < connectEnd);
      }
    }));

  test("given requests that wait for a connection that fails, fails them without attempts of their own", () =>
    withHttp2Ends(echo, async ({ proxy, session }) => {
      proxy.trust([]);
      const replies = await Promise.all(Array.from({ length: 3 }, () => ask(session, { ":path": "/" })));
      assert.equal(
        replies.map(({ status }) => status),
        [502, 502, 502],
      );
      await proxy.traffic.row(2);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      assert.equal(
        ends.map(({ waitedFor, instants }) => [waitedFor, instants.secureConnectionStart !== null]),
        [
          [null, true],
          ["connection", false],
          ["connection", false],
        ],
      );
    }));

  test(
    "given clients that reset more streams than the server allows, responses to other clients arrive whole",
    () =>
      withProxy({}, async (proxy) => {
        const held: ServerHttp2Stream[] = [];
        let changed = (): void => {};
        const until = async (isReached: () => boolean): Promise<void> => {
          while (!isReached())
            await new Promise<void>((resolve) => {
              changed = resolve;
            });
        };
        let open = 0;
        const server = await http2Server(
          proxy,
          (stream, { ":path": path }) => {
            if (path === "/slow") {
              held.push(stream);
              stream.respond({ ":status": 200 });
              stream.write("begun, ");
              return;
            }
            open += 1;
            changed();
            stream.on("close", () => {
              open -= 1;
              changed();
            });
          },
          { streamResetBurst: 400, streamResetRate: 1 },
        );
        const origin = `https://a.test:${server.port}`;
        const good = await http2Client(proxy, origin);
        const slow = good.request({ ":path": "/slow" });
        const body = replyOn(slow).then((reply) => reply.body.toString(), String);
        await once(slow, "response");
        for (let client = 0; client < 2; client += 1) {
          const hasty = await http2Client(proxy, origin);
          for (let round = 0; round < 6; round += 1) {
            const streams = Array.from({ length: 50 }, () => hasty.request({ ":path": "/" }));
            for (const stream of streams) stream.on("error", () => {});
            await until(() => open === 50);
            for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
            await until(() => open === 0);
          }
          hasty.destroy();
        }
        for (const stream of held) stream.end("ended");
        assert.is(await body, "begun, ended");
        good.destroy();
        await server.stop();
      }),
    { isLong: true },
  );
});
