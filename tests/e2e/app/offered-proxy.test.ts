import * as assert from "uvu/assert";
import { freePort } from "../../../extensions/proxy/data-thread/network/sockets/free-port.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** The upstream proxy that Weir suggests, listening at that port, when the environment names `named`. */
async function offered(port: number, named: string): Promise<string | null> {
  const weir = await runningWeir(["--port", String(port)], null, { HTTPS_PROXY: named });
  const page = await PageClient.open(weir);
  try {
    return (await page.value({ view: "status" })).environmentProxy;
  } finally {
    page.close();
    await weir.stop();
  }
}

describe("offer of the environment's proxy", (test) => {
  test("given the environment's proxy, offers another program's, but not Weir itself", async () => {
    const port = (await freePort("127.0.0.1", 0)) ?? 0;
    assert.is(await offered(port, `http://127.0.0.1:${port}`), null);
    assert.is(await offered(port, `http://localhost:${port}`), null);
    const other = `http://proxy.example:${port}`;
    assert.is(await offered(port, other), other);
  });
});
