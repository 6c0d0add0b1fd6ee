import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { matchesOutput } from "../../../src/engine/hub/known-errors.ts";
import { transparent } from "../../../src/engine/hub/targets/transparent.ts";
import { describe } from "../../support/describe.ts";
import {
  CLIENT,
  type Namespaces,
  needsNamespaces,
  networkNamespaces,
  SERVER,
} from "../../support/network-namespaces.ts";
import { type Place, prove, proveWith, shellOf } from "../../support/proof.ts";
import { unusedPort } from "../../support/reverse-port.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const ORIGIN = fileURLToPath(new URL("../../support/redirect-origin.ts", import.meta.url));
const HOSTS = `127.0.0.1 localhost trap.test\n${SERVER} api.test loop.test\n10.9.9.9 private.test\n`;

/** Troubleshooting explains what curl prints where nothing listens at the port. */
async function explained(shell: string, place: Place): Promise<void> {
  const { output } = await runTool([shell, "-c", place.text], place.folder);
  const told = place.target.knownErrors.filter((trouble) => matchesOutput(trouble, output));
  assert.ok(
    told.some(({ meaning }) => meaning.startsWith("Nothing listens at the transparent port.")),
    output,
  );
}

/** The lines that the hub shows for a redirect, and those that undo it, without sudo. */
function redirect(key: string, port: number): { readonly make: string; readonly undo: string; readonly ran: string } {
  const form = transparent.variants.find(({ id }) => key === `transparent/${id}#sh`)?.forms[0];
  const values = { transparent: port } as Parameters<NonNullable<typeof form>["text"]>[0];
  const bare = (text = ""): string => `set -e\n${text.replaceAll("sudo ", "")}`;
  return { make: bare(form?.text(values)), undo: bare(form?.undo?.(values)), ran: form?.ran ?? "" };
}

interface Redirected {
  readonly network: Namespaces;
  /** Other users may read what is in it. */
  readonly folder: string;
  readonly weir: RunningWeir;
  /** The transparent ports for 443 and 80. */
  readonly ports: readonly [number, number];
  /** The file with the server's own root. */
  readonly root: string;
}

/** A server and Weir on two computers that are joined by one link. Weir has transparent ports for 443 and 80. */
async function withRedirects(
  body: (redirected: Redirected) => Promise<void>,
  words: readonly string[] = [],
): Promise<void> {
  await withFolder(async (folder) => {
    chmodSync(folder, 0o755);
    const network = await networkNamespaces(folder, HOSTS);
    const [program = "", ...rest] = [...network.server, process.execPath, ORIGIN, SERVER];
    const origin = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] });
    try {
      const [line] = await once(createInterface(origin.stdout), "line");
      const root = join(folder, "origin.pem");
      writeFileSync(root, JSON.parse(String(line)) as string);
      const ports = [await unusedPort(), await unusedPort()] as const;
      const options = ["--transparent", String(ports[0]), "--transparent", `${ports[1]}=80`, "--upstream-ca", root];
      const weir = await runningWeir([...options, ...words], null, {}, network.client);
      try {
        await body({ network, folder, weir, ports, root });
      } finally {
        await weir.stop();
      }
    } finally {
      origin.kill();
      network.stop();
    }
  });
}

/** curl of another user than Weir's, without any proxy setting. `root`: what it trusts. */
function curl({ network, folder }: Redirected, root: string, words: string): string {
  const trusted = join(folder, "trusted.pem");
  copyFileSync(root, trusted);
  chmodSync(trusted, 0o644);
  const user = 'setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH="$PATH"';
  return network.run(`${user} curl -sS --max-time 20 --cacert '${trusted}' ${words}`);
}

describe("a transparent port, with real clients", (test) => {
  for (const form of ["transparent/curl#sh", "transparent/curl#fish"]) {
    const proof = { form, skip: needs("curl", shellOf(form)), version: ["curl", "--version"] };
    prove(test, { ...proof, run: ({ text }) => [shellOf(form), "-c", text] });
    proveWith(test, proof, "off", "without the port fails as documented", (place) => explained(shellOf(form), place));
  }

  for (const [key, program] of [
    ["transparent/iptables#sh", "iptables"],
    ["transparent/nft#sh", "nft"],
  ] as const)
    test(
      `given the redirect of ${program}, a client without a proxy setting is captured; without Weir's exemption, the loop is told`,
      () =>
        withRedirects(async (redirected) => {
          const { network, weir, ports, root } = redirected;
          const [secure, plain] = ports;
          assert.equal(weir.transparent, [String(secure), `${plain}=80`]);
          const { make, undo, ran } = redirect(key, secure);
          assert.match(network.run(`${program} --version`), ` v${ran.split(" ")[1]}.`, "the hub's label");
          network.run(make);
          network.run(make.replaceAll(/\b443\b/g, "80").replaceAll(String(secure), String(plain)));
          assert.is(curl(redirected, weir.caBundle, "https://api.test/two"), "over TLS by HTTP/2.0");
          assert.is(curl(redirected, weir.caBundle, "--http1.1 https://api.test/one"), "over TLS by HTTP/2.0");
          assert.is(curl(redirected, weir.caBundle, "http://api.test/plain"), "in clear by HTTP/1.1");
          assert.match(curl(redirected, weir.caBundle, "https://trap.test/trap"), "leads back to this computer");

          network.run(undo);
          assert.is(curl(redirected, root, "https://api.test/direct"), "over TLS by HTTP/2.0");

          network.run(make.replaceAll(/(?:-m owner ! --uid-owner|meta skuid !=) "\$\(id -u\)"/g, ""));
          assert.match(curl(redirected, weir.caBundle, "https://loop.test/loop"), "led Weir's own connection");

          const rows = await weir.exportedOnce((text) => text.includes("/loop"), "--format", "csv");
          for (const [url, protocol] of [
            ["https://api.test/two", "h2"],
            ["https://api.test/one", "http/1.1"],
            ["http://api.test/plain", "http/1.1"],
          ] as const)
            assert.ok(
              rows.split("\n").some((row) => row.includes(url) && row.includes(protocol)),
              rows,
            );
          assert.not.match(rows, "/direct");
        }),
      { skip: needsNamespaces() ?? needs(program, "ip", "curl") },
    );

  test(
    "given a client of another computer, keeps it from private addresses and from this computer (docs/security.md S5, S20)",
    () =>
      withRedirects(
        async ({ network, weir, ports: [secure] }) => {
          for (const [name, reason] of [
            ["private.test", "may not reach private addresses"],
            ["trap.test", "leads back to this computer"],
          ]) {
            const words = [
              "-sS",
              "--connect-to",
              `::${CLIENT}:${secure}`,
              "--cacert",
              weir.caBundle,
              `https://${name}/`,
            ];
            const [program = "", ...rest] = [...network.server, "curl", ...words];
            const { stdout, stderr } = spawnSync(program, rest, { encoding: "utf8" });
            assert.match(stdout, reason ?? "", stderr);
          }
        },
        ["--listen", "0.0.0.0"],
      ),
    { skip: needsNamespaces() ?? needs("ip", "curl") },
  );
});
