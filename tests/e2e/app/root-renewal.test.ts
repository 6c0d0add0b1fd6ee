import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import * as tls from "node:tls";
import * as assert from "uvu/assert";
import { newRoot } from "../../../extensions/proxy/certificates/root.ts";
import { ROOT_FILE } from "../../../extensions/proxy/certificates/root-file.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const DAY = 86_400_000;
const HOST = "probe.weir.test";

/** Runs Weir on a folder whose root was made five years ago less `days`. */
async function withOldRoot(
  days: number,
  body: (weir: RunningWeir, page: PageClient, folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { mode: 0o700 });
    const made = new Date();
    made.setUTCFullYear(made.getUTCFullYear() - 5);
    const root = newRoot("old", new Date(made.getTime() + days * DAY));
    const key = root.key.export({ type: "pkcs8", format: "pem" }).toString();
    await writeFile(join(dataDir, ROOT_FILE), key + root.chain, { mode: 0o600 });
    const weir = await runningWeir([], dataDir);
    const page = await PageClient.open(weir);
    try {
      await body(weir, page, folder);
    } finally {
      page.close();
      await weir.stop();
    }
  });
}

interface Shown {
  /** The root's fingerprint; `null` where an earlier TLS session was resumed and no certificate was sent. */
  readonly root: string | null;
  /** The TLS session, with which the client may resume. */
  readonly session: Buffer | undefined;
}

/** The certificate that a new client of the proxy receives. `ca`: the root by which the client verifies it, if any. */
async function shown(
  port: number,
  { session, ca }: { session?: Buffer | undefined; ca?: string } = {},
): Promise<Shown> {
  const asked = request({ host: "127.0.0.1", port, method: "CONNECT", path: `${HOST}:443`, agent: false });
  asked.end();
  const [, socket] = (await once(asked, "connect")) as [unknown, Socket];
  const secure = tls.connect({
    socket,
    servername: HOST,
    rejectUnauthorized: ca !== undefined,
    ...(session && { session }),
    ...(ca && { ca }),
  });
  let next: Buffer | undefined;
  secure.on("session", (one: Buffer) => {
    next = one;
  });
  await once(secure, "secureConnect");
  const root = secure.isSessionReused() ? null : secure.getPeerCertificate(true).issuerCertificate.fingerprint256;
  secure.end(`GET /anything/weir/x HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  secure.resume();
  await once(secure, "close");
  return { root, session: next };
}

describe("renewal of the root certificate", (test) => {
  test("given a root that soon expires, warns; a renewal replaces it at once, in the files and after a restart", () =>
    withOldRoot(12, async (weir, page, folder) => {
      const chosen = join(folder, "chosen");
      await mkdir(chosen);
      const before = await page.value({ view: "status" }, ({ notices }) => notices.length > 0);
      assert.match(
        before.notices[0]?.text ?? "",
        /root certificate expires on .* in 12 days\. .* Renew it in Settings/,
      );
      assert.match((await page.value({ view: "hub" })).endWarning ?? "", "in 12 days");
      await page.command({ type: "export-certificate", folder: chosen });
      const old = await shown(weir.proxy.port);
      assert.is(old.root, before.certificate.fingerprint);
      assert.is((await shown(weir.proxy.port, old)).root, null, "a session is taken up again");

      await page.command({ type: "renew-certificate" });
      const after = await page.value({ view: "status" }, ({ notices }) => notices.length === 0);
      const { fingerprint, endsAt, subject } = after.certificate;
      assert.is.not(fingerprint, before.certificate.fingerprint);
      assert.ok(endsAt > before.certificate.endsAt + 4 * 365 * DAY);
      assert.match(
        subject,
        `${hostname()
          .slice(0, 20)
          .replaceAll(/[^\x20-\x7e]/g, "?")}`,
      );
      assert.is((await shown(weir.proxy.port)).root, fingerprint, "the running proxy");
      assert.is((await shown(weir.proxy.port, old)).root, fingerprint, "an old session is not resumed");

      for (const place of [weir.dataDir, chosen]) {
        const ca = readFileSync(join(place, "weir-ca.pem"), "utf8");
        assert.ok(readFileSync(join(place, "weir-ca-bundle.pem"), "utf8").includes(ca));
        assert.is((await shown(weir.proxy.port, { ca })).root, fingerprint, place);
      }
      const hub = await page.value({ view: "hub" });
      assert.equal([hub.conditions.certificate.fingerprint, hub.endWarning], [fingerprint, null]);
      assert.is(hub.conditions.certificate.exportProblem, null);
      if (process.platform !== "win32") assert.is(statSync(join(weir.dataDir, ROOT_FILE)).mode & 0o777, 0o600);
      assert.not.match(JSON.stringify([after, hub]), "PRIVATE");

      await weir.stop();
      const again = await runningWeir([], weir.dataDir);
      assert.is((await shown(again.proxy.port)).root, fingerprint, "after a restart");
      await again.stop();
    }));

  test("given a root with 31 days left, warns of nothing but still lets the user renew it", () =>
    withOldRoot(31, async (weir, page) => {
      const { certificate, notices } = await page.value({ view: "status" });
      assert.equal(notices, []);
      assert.is((await page.value({ view: "hub" })).endWarning, null);
      await page.command({ type: "renew-certificate" });
      assert.is.not((await shown(weir.proxy.port)).root, certificate.fingerprint);
    }));

  test("given a root from --ca-cert, refuses to renew it", () =>
    withOldRoot(12, async (weir) => {
      const file = join(weir.dataDir, ROOT_FILE);
      await withFolder(async (folder) => {
        const given = await runningWeir(["--ca-cert", file, "--ca-key", file], folder);
        const page = await PageClient.open(given);
        const problem = await page.command({ type: "renew-certificate" }).then(String, (error: Error) => error.message);
        assert.match(problem, "--ca-cert");
        const { certificate } = await page.value({ view: "status" });
        assert.is(certificate.renewable, false);
        assert.is((await shown(given.proxy.port)).root, certificate.fingerprint);
        page.close();
        await given.stop();
      });
    }));
});
