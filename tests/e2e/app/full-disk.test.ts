import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Har } from "har-format";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/**
 * Only root can mount a separate file system, few containers allow it even to root, and this test mounts only on Linux.
 */
const needsDisk = mayMount() ? null : "needs root on Linux, where it may mount a disk";

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "weir-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]);
  if (status === 0) execFileSync("umount", ["-l", folder]);
  rmdirSync(folder);
  return status === 0;
}

const BODY = randomBytes(400_000).toString("base64");

/** A file system of 8 MB; `grow` enlarges it. */
async function withSmallDisk(body: (folder: string, grow: () => void) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "weir-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]);
  try {
    await body(folder, () => execFileSync("mount", ["-o", "remount,size=200m", folder]));
  } finally {
    execFileSync("umount", ["-l", folder]);
    await rm(folder, { recursive: true, force: true });
  }
}

describe("full disk", (test) => {
  test(
    "given a full disk, proxies on with one warning; given space again, clears it and stores everything",
    () =>
      withSmallDisk(async (folder, grow) => {
        const server = createServer((_, response) => response.end(BODY));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const words = ["--host-override", `api.test=127.0.0.1:${(server.address() as AddressInfo).port}`];
        const weir = await runningWeir(words, join(folder, "data"));
        try {
          const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://api.test");
          const ask = async (path: string) => assert.is((await client.ask("GET", path)).body.toString(), BODY);
          // Each takes half a megabyte, so the disk is full after about sixteen.
          for (let index = 0; index < 40; index += 1) await ask(`/before/${index}`);
          const page = await PageClient.open(weir);
          const storageNotices = ({ notices }: { readonly notices: readonly { readonly id: string }[] }) =>
            notices.filter(({ id }) => id === "storage");
          const full = await page.value({ view: "status" }, (status) => storageNotices(status).length > 0);
          assert.match(
            JSON.stringify(storageNotices(full)),
            /cannot be written to .*(no space left on device \(ENOSPC\)|database or disk is full)/,
          );
          for (let index = 0; index < 5; index += 1) await ask(`/while/${index}`);
          assert.is((await page.value({ view: "summary" }, ({ counted }) => counted === 45)).counted, 45);
          grow();
          await page.value({ view: "status" }, (status) => storageNotices(status).length === 0);
          await ask("/after");
          const isThere = (text: string): boolean => text.includes("/after");
          const exported = await weir.exportedOnce(isThere, "--session", "current", "--format", "json");
          const rows = JSON.parse(exported) as readonly { readonly url: string }[];
          assert.is(rows.length, 46, "nothing that waited for the disk was lost");
          const { log }: Har = JSON.parse(
            await weir.exported("--session", "current", "--format", "har", "--no-redact"),
          );
          assert.ok(log.entries.every(({ response }) => response.content.text === BODY));
          page.close();
        } finally {
          await weir.stop();
          server.closeAllConnections();
          server.close();
        }
      }),
    { skip: needsDisk },
  );

  test(
    "given captured data that does not fit when Weir ends, tells the page that some is not stored",
    () =>
      withSmallDisk(async (folder) => {
        const server = createServer((_, response) => response.end(BODY));
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const words = ["--host-override", `api.test=127.0.0.1:${(server.address() as AddressInfo).port}`];
        const weir = await runningWeir(words, join(folder, "data"));
        const page = await PageClient.open(weir);
        const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://api.test");
        for (let index = 0; index < 30; index += 1) await client.ask("GET", `/${index}`);
        await page.value({ view: "status" }, ({ notices }) => notices.some(({ id }) => id === "storage"));
        const last = page.heard("shutdown");
        assert.is(await weir.stop(), 0);
        assert.match((await last).reason, /^Weir has exited\. Some captured data is not stored\. .*cannot be written/);
        server.closeAllConnections();
        server.close();
      }),
    { skip: needsDisk },
  );
});
