import { once } from "node:events";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type HeldPlan,
  HeldUnits,
  type HoldingEnd,
  MOST_HELD,
  MOST_TIME,
  QUIET,
  SILENCE,
} from "../../../../../extensions/proxy/data-thread/network/relay/experiment-holds.ts";
import { heldOf, overheadOf } from "../../../../../src/engine/model/phases.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { ask } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, type RawServer } from "../../../../support/raw-server.ts";
import { seeded } from "../../../../support/seeded.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** Holds responses to `/held` by the levels, in turn. */
function plan(levels: readonly number[], more: Partial<HeldPlan> = {}): HeldPlan {
  let drawn = 0;
  return {
    isTarget: ({ target }) => target.startsWith("/held"),
    client: null,
    draw: () => {
      drawn += 1;
      return { block: 0, level: levels[(drawn - 1) % levels.length] ?? 0 };
    },
    onEnd: () => {},
    ...more,
  };
}

const pathOf = (head: string): string => head.split(" ")[1] ?? "";
const echoing = (proxy: TestProxy): Promise<RawServer> => proxy.server(answering((head) => ok(pathOf(head))));

async function answer(client: RawPeer): Promise<string> {
  const head = await client.head();
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return (await client.bytes(length)).toString("latin1");
}

/** Sends requests one after another and returns the bodies of their responses. */
async function walk(client: RawPeer, { port }: RawServer, paths: readonly string[]): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const path of paths) {
    client.send(get(port, path));
    bodies.push(await answer(client));
  }
  return bodies;
}

/** Lets some other requests pass, in which time a response that is not held would arrive. */
async function othersPass(proxy: TestProxy, server: RawServer): Promise<void> {
  const other = await RawPeer.to(proxy.port);
  assert.equal(await walk(other, server, ["/a", "/b", "/c"]), ["/a", "/b", "/c"]);
  other.close();
}

describe("responses held by an experiment", (test) => {
  test("given drawn levels, no response of the target comes earlier, and its held time is told apart", async () => {
    const random = seeded(fc.sample(fc.integer(), 1)[0] ?? 1);
    const levels = Array.from({ length: 4 }, () => Math.floor(random() * 60));
    await withProxy({}, async (proxy) => {
      const server = await echoing(proxy);
      proxy.listener.experiment.start(plan(levels));
      const client = await RawPeer.to(proxy.port);
      for (const [index, level] of levels.entries()) {
        await walk(client, server, ["/held", "/next"]);
        const [held, next] = [await proxy.traffic.row(2 * index), await proxy.traffic.row(2 * index + 1)];
        const own = proxy.traffic.events.filter((event) => "id" in event && event.id === held.started.id);
        const joined = own.find((event) => event.type === "unit-joined");
        const released = own.find((event) => event.type === "response-held");
        assert.equal(joined, { type: "unit-joined", id: held.started.id, unit: index + 1, block: 0, level });
        const { instants, tags } = held.ended;
        const whole = { ...instants, ...(released === undefined || level === 0 ? {} : { released: released.at }) };
        assert.ok((heldOf(whole) ?? 0) >= level, `${heldOf(whole)} of ${level}`);
        assert.is(tags.includes("held"), level > 0);
        assert.ok((overheadOf(whole, null) ?? -1) >= 0);
        for (const row of [held, next]) assert.ok(row.started.tags.includes("unit") && row.ended.tags.includes("unit"));
        assert.not(next.ended.tags.includes("held"));
      }
      client.close();
    });
  });

  test("given a held response, no other one waits, over HTTP/1.1", async () => {
    const clock = new HeldClock();
    await withProxy({ clock }, async (proxy) => {
      const server = await echoing(proxy);
      proxy.listener.experiment.start(plan([30]));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port, "/held"));
      await othersPass(proxy, server);
      assert.is(client.total, 0);
      clock.pass(30);
      assert.is(await answer(client), "/held");
      client.close();
    });
  });

  test("given a held response, no other stream of its connections waits, over HTTP/2", async () => {
    const clock = new HeldClock();
    const serve: Parameters<typeof withHttp2Ends>[0] = (stream, headers) => {
      stream.respond({ ":status": 200 });
      stream.end(String(headers[":path"]));
    };
    await withHttp2Ends(
      serve,
      async ({ proxy, session }) => {
        proxy.listener.experiment.start(plan([20]));
        let hasCome = false;
        const held = ask(session, { ":path": "/held" }).then((reply) => {
          hasCome = true;
          return reply;
        });
        for (const path of ["/a", "/b", "/c"]) assert.is((await ask(session, { ":path": path })).body.toString(), path);
        assert.not(hasCome);
        clock.pass(20);
        assert.is((await held).body.toString(), "/held");
        assert.is((await ask(session, { ":path": "/after" })).body.toString(), "/after");
      },
      { clock },
    );
  });

  test("given a large held response, all of it comes once it is released, and the server was paused meanwhile", async () => {
    const clock = new HeldClock();
    const body = "x".repeat(8 * 1024 * 1024);
    await withProxy({ clock }, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(pathOf(head) === "/held" ? body : pathOf(head))));
      proxy.listener.experiment.start(plan([25]));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port, "/held"));
      await othersPass(proxy, server);
      const peer = await server.peer(0);
      assert.ok(peer.socket.writableLength > 0);
      clock.pass(25);
      assert.is((await answer(client)).length, body.length);
      client.close();
    });
  });

  const ends: readonly [string, (proxy: TestProxy, clock: HeldClock) => void][] = [
    ["is stopped", (proxy) => proxy.listener.experiment.stop()],
    ["is replaced", (proxy) => proxy.listener.experiment.start(plan([0]))],
    ["hears nothing of the engine thread", (_, clock) => clock.pass(SILENCE + 1)],
    ["takes too long", (_, clock) => clock.pass(MOST_TIME + 1)],
  ];
  for (const [title, end] of ends)
    test(`given an experiment that ${title}, what is held goes out at once, and nothing more is held`, async () => {
      const clock = new HeldClock();
      await withProxy({ clock }, async (proxy) => {
        const server = await echoing(proxy);
        proxy.listener.experiment.start(plan([MOST_HELD]));
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, "/held"));
        await othersPass(proxy, server);
        assert.is(client.total, 0);
        end(proxy, clock);
        assert.is(await answer(client), "/held");
        assert.equal(await walk(client, server, ["/held", "/held"]), ["/held", "/held"]);
        client.close();
      });
    });

  test("given a silent engine thread, the end is told once, with its reason", async () => {
    const clock = new HeldClock();
    const reasons: HoldingEnd[] = [];
    await withProxy({ clock }, async (proxy) => {
      const { experiment } = proxy.listener;
      const ended = new Promise<void>((resolve) => {
        experiment.start(plan([0], { onEnd: (reason) => resolve(void reasons.push(reason)) }));
      });
      clock.pass(SILENCE);
      experiment.heard();
      clock.pass(SILENCE);
      assert.ok(experiment.isRunning);
      clock.pass(1);
      // The look-out does not keep the process alive; a connection does.
      const client = await RawPeer.to(proxy.port);
      await ended;
      client.close();
      assert.equal([reasons, experiment.isRunning], [["silent"], false]);
    });
  });

  test("given a client that leaves while its response is held, the exchange fails, and others go on", async () => {
    const clock = new HeldClock();
    await withProxy({ clock }, async (proxy) => {
      const server = await echoing(proxy);
      proxy.listener.experiment.start(plan([1_000]));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port, "/held"));
      await othersPass(proxy, server);
      client.socket.resetAndDestroy();
      const { outcome, tags } = await proxy.traffic.event(
        "exchange-ended",
        (event) => event.outcome.kind === "failed" && event.outcome.errorType === "client-aborted",
      );
      assert.equal([outcome.status, tags.includes("held")], [null, false]);
      proxy.listener.experiment.stop();
      await othersPass(proxy, server);
    });
  });

  test("given streams, upgrades, tunnels, answers of Weir, unrecorded hosts and other clients, holds none", async () => {
    const clock = new HeldClock();
    const stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 7\r\n\r\ndata:1\n";
    const switched = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n";
    await withProxy({ clock }, async (proxy) => {
      const server = await proxy.server(
        answering((head) => {
          if (/upgrade/i.test(head)) return switched;
          return pathOf(head) === "/stream" ? stream : ok(pathOf(head));
        }),
      );
      const { experiment } = proxy.listener;
      const client = await RawPeer.to(proxy.port);
      experiment.start(plan([500], { isTarget: () => true }));
      assert.equal(await walk(client, server, ["/stream"]), ["data:1\n"]);
      client.send("GET http://probe.weir.test/ HTTP/1.1\r\nHost: probe.weir.test\r\n\r\n");
      await answer(client);
      client.send(get(server.port, "/ws", "Connection: upgrade", "Upgrade: websocket"));
      assert.match(await client.head(), /^HTTP\/1.1 101 /);
      const tunnel = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      tunnel.close();
      const other = await RawPeer.to(proxy.port);
      proxy.traffic.unwanted = ["a.test"];
      assert.equal(await walk(other, server, ["/held"]), ["/held"]);
      proxy.traffic.unwanted = [];
      experiment.start(plan([500], { client: "127.0.0.1 another/1.0" }));
      assert.equal(await walk(other, server, ["/held"]), ["/held"]);
      assert.not(proxy.traffic.events.some(({ type }) => type === "response-held"));
      for (const peer of [client, other]) peer.close();
    });
  });

  test("given a request that fails, it is held by nothing", async () => {
    await withProxy({ clock: new HeldClock() }, async (proxy) => {
      proxy.listener.experiment.start(plan([500]));
      const server = await proxy.server((peer) => peer.socket.end());
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port, "/held"));
      assert.match(await client.head(), /^HTTP\/1.1 502 /);
      client.close();
    });
  });

  test("given many responses of one unit, they are held for 2 s in all, at most", async () => {
    const clock = new HeldClock();
    await withProxy({ clock }, async (proxy) => {
      const server = await echoing(proxy);
      proxy.listener.experiment.start(plan([MOST_HELD / 2]));
      const clients = await Promise.all(Array.from({ length: 5 }, () => RawPeer.to(proxy.port)));
      for (const client of clients) client.send(get(server.port, "/held"));
      await Promise.race(clients.map((client) => once(client.socket, "data")));
      await othersPass(proxy, server);
      assert.is(clients.filter(({ total }) => total === 0).length, 2);
      proxy.listener.experiment.stop();
      for (const client of clients) {
        assert.is(await answer(client), "/held");
        client.close();
      }
    });
  });
});

const DOCUMENTS = [
  "Sec-Fetch-Dest: document",
  "Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: navigate",
  "Accept: text/html,*/*",
];
const PARTS = ["Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty", "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image"];

const headOf = (lines: string): string => `GET / HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n\r\n`;

/** Units of one client, whose requests come one after another and end at once. */
function client() {
  let count = 0;
  let now = 1_000;
  const units = new HeldUnits(() => {
    count += 1;
    return count;
  });
  return (isTarget: boolean, gap: number, lines = "Accept: */*") => {
    now += gap;
    const at = now as Instant;
    const unit = units.unitOf({ at, method: "GET", head: headOf(lines), isTarget });
    if (isTarget && unit !== null) unit.draw ??= { block: 0, level: unit.number };
    unit?.ended(at);
    return unit;
  };
}

const gap = fc.integer({ min: 0, max: QUIET });
const pause = fc.integer({ min: QUIET + 1, max: 60_000 });

describe("experiment units in the data thread", (test) => {
  test("given page loads, each document starts a unit, and what follows until the next one belongs to it", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom(...DOCUMENTS), fc.array(fc.tuple(fc.constantFrom(...PARTS), fc.boolean(), gap))),
        ),
        (loads) => {
          const ask = client();
          for (const [index, [document, parts]] of loads.entries()) {
            assert.is(ask(false, 10, document)?.number, index + 1);
            for (const [lines, isTarget, after] of parts) {
              const unit = ask(isTarget, after, lines);
              assert.equal([unit?.number, unit?.isLoad], [index + 1, true]);
            }
          }
        },
      ),
    ));

  test("given a page that is quiet for long, what it sends later is in no unit", () =>
    fc.assert(
      fc.property(fc.constantFrom(...PARTS), fc.boolean(), pause, (lines, isTarget, after) => {
        const ask = client();
        ask(false, 0, DOCUMENTS[0]);
        assert.is(ask(isTarget, after, lines), null);
      }),
    ));

  test("given an API client, a request of the target starts a unit once another endpoint followed the last", () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), gap), { minLength: 1 }), (asked) => {
        const ask = client();
        let number = 0;
        let hasOthers = true;
        for (const [isTarget, after] of asked) {
          if (isTarget && hasOthers) {
            number += 1;
            hasOthers = false;
          } else if (!isTarget) hasOthers = true;
          assert.is(ask(isTarget, after)?.number ?? 0, number);
        }
      }),
    ));

  test("given a pause, the next request of the target starts a unit, and other requests are in none", () =>
    fc.assert(
      fc.property(fc.boolean(), pause, (isTarget, after) => {
        const ask = client();
        ask(true, 0);
        assert.is(ask(isTarget, after)?.number ?? null, isTarget ? 2 : null);
      }),
    ));

  test("given HTML without Fetch Metadata beside other requests of a load, it is a frame", () => {
    const units = new HeldUnits(() => 1);
    const ask = (at: number, lines: string) =>
      units.unitOf({ at: at as Instant, method: "GET", head: headOf(lines), isTarget: false });
    const load = ask(0, "Accept: text/html,*/*");
    assert.is(ask(5, "Accept: text/html,*/*"), load);
  });
});
