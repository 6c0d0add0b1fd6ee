import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import * as assert from "uvu/assert";
import { freePort } from "../../../../../extensions/proxy/data-thread/network/sockets/free-port.ts";
import { describe } from "../../../../support/describe.ts";

describe("free port search", (test) => {
  test("given a port that is in use, finds a higher one", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const free = await freePort("127.0.0.1", port);
    other.close();
    assert.ok(free !== null && free > port, String(free));
  });

  test("given port 0, finds any free port", async () => {
    assert.ok(((await freePort("127.0.0.1", 0)) ?? 0) > 0);
  });

  test("given an address of another machine, finds no port", async () => {
    assert.is(await freePort("192.0.2.1", 65_535), null);
  });
});
