import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { connect } from "node:tls";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { unusedPort } from "../../support/reverse-port.ts";
import { builtApp, endingOf, runningWeir, startWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/**
 * The name on the certificate with which the port answers TLS for Weir's own host. `root`: the file with Weir's root.
 */
async function certifiedName(port: number, root: string): Promise<unknown> {
  const ca = readFileSync(root);
  const socket = connect({ port, host: "127.0.0.1", servername: "probe.weir.test", ca });
  await once(socket, "secureConnect");
  const { subjectaltname } = socket.getPeerCertificate();
  socket.destroy();
  return subjectaltname;
}

describe("transparent ports of the app", (test) => {
  test("given --transparent and a line in Settings, opens both and tells them in the ready line and to the window", async () => {
    const [given, stored] = [await unusedPort(), await unusedPort()];
    const weir = await runningWeir(["--transparent", String(given)]);
    const page = await PageClient.open(weir);
    assert.equal(weir.transparent, [String(given)]);
    await page.command({ type: "set-setting", key: "transparentPorts", value: [`${stored}=8443`, `${given}=80`] });
    const { transparentPorts } = await page.value({ view: "hub" }, (hub) => hub.transparentPorts.length === 2);
    assert.equal([...transparentPorts].sort(), [String(given), `${stored}=8443`].sort(), "the command line's counts");
    for (const port of [given, stored]) assert.is(await certifiedName(port, weir.ca), "DNS:probe.weir.test");
    page.close();
    await weir.stop();
  });

  test("given --transparent with a port that is taken, ends with exit code 3 and one sentence", () =>
    withFolder(async (folder) => {
      await builtApp();
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const words = ["--port", "0", "--data-dir", folder, "--transparent", `${port}=80`];
      const { code, complaint } = await endingOf(startWeir(words));
      server.close();
      assert.is(code, 3);
      assert.is(
        complaint,
        `Transparent port ${port} for servers' port 80 is not open: the port is taken. Name another port with --transparent.\n`,
      );
    }));
});
