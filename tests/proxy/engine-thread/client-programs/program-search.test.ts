import * as assert from "uvu/assert";
import type { LocalClient } from "../../../../extensions/proxy/data-thread/network/network-options.ts";
import { ProgramSearch } from "../../../../extensions/proxy/engine-thread/client-programs/program-search.ts";
import type { ClientNamed } from "../../../../src/engine/capture/event.ts";
import { describe } from "../../../support/describe.ts";

const client = (connection: number): LocalClient => ({ connection, port: 50_000 + connection, proxyPort: 8_686 });

/** Scans that take this many ms each and find every even connection, with a clock set by the test. */
function searching(length: number) {
  const looks: number[][] = [];
  const found: ClientNamed[] = [];
  const time = { now: 0, used: 0 };
  let between = (): void => {};
  const search = new ProgramSearch({
    now: () => time.now,
    used: () => time.used,
    onFound: (named) => found.push(...named),
    find: async (clients) => {
      looks.push(clients.map(({ connection }) => connection));
      // Another process had the CPU for half as long again.
      time.now += 1.5 * length;
      time.used += length;
      between();
      return new Map(clients.flatMap(({ connection }) => (connection % 2 === 0 ? [[connection, "curl"]] : [])));
    },
  });
  return {
    ...{ search, looks, found, time },
    /** Runs `body` during each scan. */
    during: (body: () => void) => {
      between = body;
    },
  };
}

describe("the search for clients' programs", (test) => {
  test("looks at once, for all that wait together, and for each once", async () => {
    const { search, looks, found } = searching(1);
    for (const connection of [1, 2, 3]) search.add(client(connection));
    await search.look();
    await search.look();
    assert.equal(looks, [[1, 2, 3]]);
    assert.equal(found, [{ type: "client-named", connection: 2, program: "curl" }]);
  });

  test("who comes during a look is looked for right after it, by the one that looks", async () => {
    const stage = searching(1);
    stage.during(() => {
      if (stage.looks.length > 1) return;
      stage.search.add(client(2));
      void stage.search.look();
    });
    stage.search.add(client(1));
    await stage.search.look();
    assert.equal(stage.looks, [[1], [2]]);
  });

  test("takes a hundredth of the time, however many clients come", async () => {
    const { search, looks, time } = searching(10);
    for (let connection = 0; time.now < 600_000; connection += 1) {
      search.add(client(connection));
      await search.look();
      time.now += 5;
    }
    const share = (10 * looks.length) / time.now;
    assert.ok(share > 0.009 && share < 0.0102, String(share));
  });

  test("of clients that wait, the latest are kept: there are no more connections at a time", async () => {
    const { search, looks } = searching(1);
    for (let connection = 0; connection < 1_500; connection += 1) search.add(client(connection));
    await search.look();
    assert.equal([looks[0]?.length, looks[0]?.[0], looks[0]?.at(-1)], [1_000, 500, 1_499]);
  });
});
