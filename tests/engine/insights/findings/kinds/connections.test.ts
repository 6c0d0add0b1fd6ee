import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";

const asked = (count: number, sketch: (index: number) => Partial<Asked>) => {
  const scene = new Scene();
  for (const index of times(count))
    scene.ask({ at: index * 5_000 + (index % 3) * 1_000, target: `/a?n=${index}`, ...sketch(index) });
  return scene;
};
const FRESH = { dns: 5, connect: 30, tls: 45 };

describe("new-connections", (test) => {
  test("given a client with a new connection each time, set-up is the cost and the client is told", () => {
    const finding = asked(20, (index) => ({ ...FRESH, connection: index, clientConnection: index })).only();
    assert.is(finding.kind, "new-connections");
    assert.is(finding.count, 19);
    assert.is(finding.time, 19 * 80);
    assert.is(finding.client, "10.0.0.1 test/1.0");
    assert.is(
      finding.summary,
      "test/1.0 at 10.0.0.1 opened 20 new connections for 20 requests; the set-up of 19 avoidable connections took 1,520 ms.",
    );
    assert.match(finding.advice, /^Let the client/);
  });

  test("given a server that closes each connection, the server is told, for all clients in one", () => {
    const finding = asked(40, (index) => ({
      ...FRESH,
      connection: index,
      client: `10.0.0.${index % 2} app`,
      response: { connection: "close" },
    })).only();
    assert.equal([finding.origin, finding.client], ["https://api.test", null]);
    assert.match(finding.advice, /^Let the server/);
  });

  test("given connections that are reused, or six that a page opens at once, nothing is said", () => {
    assert.equal(asked(20, (index) => (index % 4 === 0 ? { ...FRESH, connection: index } : {})).kinds(), []);
    const page = new Scene();
    page.ask({ at: 0, target: "/page", connect: 60, server: 5, connection: 9 });
    page.ask({ at: 90, target: "/first", server: 900, connection: 9 });
    for (const index of times(6))
      page.ask({
        at: 91 + index,
        target: `/${index}`,
        connect: 60,
        tls: 60,
        server: 900,
        connection: index,
        clientConnection: index,
      });
    assert.not.ok(page.kinds().includes("new-connections"));
  });

  test("given connections that Weir hides, they cost what Weir's own took, once for each avoidable one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 40 }), fc.integer({ min: 20, max: 90 }), (count, tls) => {
        const scene = asked(count, (index) => ({
          clientConnection: index,
          server: 5,
          ...(index % 12 === 0 ? { connect: 10, tls, connection: index } : { connection: 1 }),
        }));
        const finding = scene.only();
        assert.equal([finding.kind, finding.client], ["new-connections", "10.0.0.1 test/1.0"]);
        assert.is(finding.count, count - 1);
        assert.ok(Math.abs((finding.time ?? 0) - (count - 1) * (10 + tls)) < 0.001);
        assert.match(finding.summary, /Weir hides the cost: without Weir/);
      }),
    );
  });

  test("given one measured set-up while Weir was busy, the cost is an upper bound, without what may be Weir's", () => {
    for (const [uncertainty, each] of [
      [0, 90],
      [30, 60],
      [80, 15],
    ] as const) {
      const scene = asked(30, (index) => ({
        clientConnection: index,
        server: 5,
        ...(index === 0 ? { connect: 10, tls: 80, uncertainty } : {}),
      }));
      const finding = scene.only();
      assert.ok(Math.abs((finding.time ?? 0) - 29 * each) < 0.001);
      assert.match(finding.summary, /would take up to /);
      assert.match(finding.basis, /^Up to: /);
    }
  });

  test("given hidden connections one after another without a pause, their set-ups add up", () => {
    const scene = new Scene();
    for (const index of times(30))
      scene.ask({
        at: index === 0 ? 0 : 100 + index * 7,
        target: `/a?n=${index}`,
        server: 5,
        clientConnection: index,
        ...(index === 0 ? { connect: 20, tls: 40 } : {}),
      });
    const found = scene.report().findings.find(({ kind }) => kind === "new-connections");
    assert.ok(Math.abs((found?.time ?? 0) - 29 * 60) < 1);
  });

  test("given clients that keep their connections, or a server whose set-up is unknown, nothing is said", () => {
    const first = { connect: 30, tls: 60 };
    assert.equal(
      asked(40, (index) => ({ clientConnection: index % 6, server: 5, ...(index === 0 ? first : {}) })).kinds(),
      [],
    );
    assert.equal(asked(40, (index) => ({ clientConnection: index, server: 5 })).kinds(), []);
    assert.equal(
      asked(40, (index) => ({
        clientConnection: 1,
        protocol: "h2",
        server: 5,
        ...(index === 0 ? first : {}),
      })).kinds(),
      [],
    );
  });

  test("given WebSockets, each of which takes its connection with it, nothing is said", () => {
    const scene = asked(20, (index) => ({
      ...FRESH,
      connection: index,
      clientConnection: index,
      status: 101,
      tags: ["websocket"],
    }));
    assert.equal(scene.kinds(), []);
  });

  test("given pauses too long for any kept connection, reports nothing", () => {
    const scene = new Scene();
    for (const index of times(10))
      scene.ask({ at: index * 200_000, target: `/a?n=${index}`, ...FRESH, connection: index });
    assert.equal(scene.kinds(), []);
  });
});

describe("slow-connection-setup", (test) => {
  test("given a slow phase, it is named, and is not counted as new connections, too", () => {
    for (const phase of ["dns", "connect", "tls"] as const) {
      const finding = asked(12, (index) => ({ dns: 2, connect: 3, tls: 2, [phase]: 320, connection: index })).only();
      assert.is(finding.kind, "slow-connection-setup");
      assert.equal(finding.attribute, { name: "phase", value: phase });
      assert.is(finding.time, 12 * 320);
    }
  });

  test("given a server that stands still, the handshakes that it kept waiting are not told as slow, others are", () => {
    for (const isHeldUp of [true, false]) {
      const scene = new Scene();
      for (const pause of times(8)) {
        const start = pause * 4_000;
        for (const index of times(38)) {
          const standstill = index >= 25 && index < 30 ? 3_000 - index * 100 : 0;
          const client = `10.0.1.${index % 6} app`;
          scene.ask({ at: start + index * 100, target: `/part${index % 4}`, client, server: standstill + 20 });
        }
        const fresh = { client: `10.0.2.${pause} app`, connection: 100 + pause, connect: 1, tls: 300 };
        scene.ask({ at: start + (isHeldUp ? 2_695 : 3_300), target: "/part0", server: 20, ...fresh });
      }
      const kinds = scene.kinds();
      assert.ok(kinds.includes("server-pauses"), kinds.join());
      assert.is(kinds.includes("slow-connection-setup"), !isHeldUp);
    }
  });

  test("given one address that takes five times as long as the others, it is named", () => {
    const scene = asked(30, (index) => {
      const isFar = index % 3 === 0;
      return {
        connect: isFar ? 90 : 8,
        address: isFar ? "192.0.2.9:443" : "192.0.2.1:443",
        ...(index % 2 === 0 ? {} : { connection: index }),
      };
    });
    const found = scene.report().findings.find(({ kind }) => kind === "slow-connection-setup");
    assert.match(found?.summary ?? "", /192\.0\.2\.9:443/);
    assert.is(Math.round(found?.time ?? 0), 10 * 82);
  });

  test("given addresses that differ by less, nothing is said", () => {
    const scene = asked(40, (index) =>
      index % 2 === 0
        ? {}
        : { connect: index % 4 === 1 ? 90 : 30, address: `192.0.2.${index % 4}:443`, connection: index },
    );
    assert.equal(scene.kinds(), []);
  });

  test("given a slow resolver, look-ups of many names count together", () => {
    const scene = new Scene();
    for (const index of times(8))
      scene.ask({ at: index * 5_000, origin: `https://h${index}.test`, dns: 240, connect: 10 });
    const finding = scene.only();
    assert.equal(finding.attribute, { name: "phase", value: "dns" });
    assert.is(finding.client, "10.0.0.1 test/1.0");
  });

  test("given one or two set-ups that held the waiting, they are named", () => {
    for (const [phase, count] of [
      ["dns", 2],
      ["connect", 1],
      ["tls", 1],
    ] as const) {
      const scene = new Scene();
      for (const index of times(30)) scene.ask({ at: 20_000 + index * 500, target: `/file${index}` });
      for (const index of times(count))
        scene.ask({ at: index * 9_000, origin: `https://h${index}.test`, dns: 2, connect: 3, tls: 2, [phase]: 4_050 });
      const finding = scene.only();
      assert.equal([finding.attribute?.value, finding.count, finding.time], [phase, count, count * 4_050]);
      assert.is(/median/.test(finding.summary), count > 1);
    }
  });

  test("given one set-up that is slow in all its phases together, its longest phase is named", () => {
    const scene = new Scene();
    for (const index of times(20)) scene.ask({ at: 20_000 + index * 500, target: `/file${index}` });
    scene.ask({ at: 0, origin: "https://far.test", dns: 40, connect: 231, tls: 470 });
    const finding = scene.only();
    assert.equal([finding.attribute?.value, finding.count, finding.time], ["tls", 1, 741]);
    assert.match(finding.summary, /took 741 ms; the longest phase was the TLS handshake with 470 ms/);
  });

  test("given a far server, or few connections, nothing is said", () => {
    assert.equal(asked(30, (index) => (index % 8 === 0 ? { connect: 60, tls: 70 } : {})).kinds(), []);
    assert.equal(asked(40, (index) => (index < 2 ? { connect: 400 } : {})).kinds(), []);
  });
});

describe("connection-queueing", (test) => {
  test("given requests that waited for a connection, the union of their waits is the cost", () => {
    const scene = new Scene();
    for (const page of times(6))
      for (const index of times(12))
        scene.ask({
          at: page * 20_000,
          target: `/img/${index}`,
          type: "image/png",
          queued: index < 6 ? 0 : 80 + index,
          server: 100,
        });
    const finding = scene.only();
    assert.is(finding.kind, "connection-queueing");
    assert.is(finding.count, 36);
    assert.is(finding.time, 6 * 91);
  });

  test("given requests that waited for a stream, the finding advises more streams, not HTTP/2", () => {
    const scene = new Scene();
    for (const page of times(6))
      for (const index of times(12)) {
        const queued = index < 6 ? 0 : 80 + index;
        scene.ask({
          at: page * 20_000,
          target: `/img/${index}`,
          type: "image/png",
          queued,
          waitedFor: "stream",
          protocol: "h2",
          server: 100,
        });
      }
    const { kind, summary, advice } = scene.only();
    assert.is(kind, "connection-queueing");
    assert.match(summary, /waited for a free HTTP\/2 stream/);
    assert.match(advice, /^Let the server allow more concurrent streams/);
  });

  test("given a queue of the items of a list, the list's n-plus-one is the one cause", () => {
    const scene = new Scene();
    for (const page of times(6)) {
      const list = scene.ask({ at: page * 20_000, target: `/cart?n=${page}` });
      for (const index of times(12)) {
        const queued = index < 6 ? 0 : 100 + index;
        scene.prove(
          list,
          scene.ask({ at: page * 20_000 + 50, target: `/price?of=${page}${index}x`, queued, server: 100 }),
        );
      }
    }
    assert.equal(scene.kinds(), ["n-plus-one"]);
  });

  test("given waits for a connection that is just being opened, nothing is said", () => {
    const scene = new Scene();
    for (const page of times(6)) {
      scene.ask({ at: page * 20_000, target: "/first", connect: 90, client: `10.0.0.${page} browser` });
      for (const index of times(8))
        scene.ask({
          at: page * 20_000 + 1,
          target: `/img/${index}`,
          type: "image/png",
          queued: 89,
          client: `10.0.0.${page} browser`,
        });
    }
    assert.equal(scene.kinds(), []);
  });

  test("given six busy connections and requests that start the moment one ends, it is possible", () => {
    const scene = new Scene();
    for (const page of times(8))
      for (const index of times(18)) {
        const [row, column] = [Math.floor(index / 6), index % 6];
        scene.ask({
          at: page * 20_000 + row * 103 + column * 3,
          target: `/img/${index}`,
          type: "image/png",
          server: 100,
          clientConnection: column + 1,
        });
      }
    const finding = scene.only();
    assert.is(finding.kind, "connection-queueing");
    assert.is(finding.confidence, "possible");
    assert.match(finding.basis, /^Up to/);
  });

  test("given as many at once over HTTP/2, nothing is said", () => {
    const scene = new Scene();
    for (const page of times(8))
      for (const index of times(18)) {
        const [row, column] = [Math.floor(index / 6), index % 6];
        scene.ask({
          at: page * 20_000 + row * 103 + column * 3,
          target: `/img/${index}`,
          type: "image/png",
          server: 100,
          protocol: "h2",
        });
      }
    assert.equal(scene.kinds(), []);
  });
});
