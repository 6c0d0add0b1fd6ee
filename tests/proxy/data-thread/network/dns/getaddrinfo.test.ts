import { execFile, spawnSync } from "node:child_process";
import { lookup } from "node:dns/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HELPER_THREADS } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-helper.ts";
import { LOOKUP_SCRIPT } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-script.ts";
import { systemResolver } from "../../../../../extensions/proxy/data-thread/network/dns/name-resolver.ts";
import { startScript } from "../../../../../extensions/proxy/process/child-process.ts";
import type { Comparison } from "../../../../support/compared-lookups.ts";
import { describe } from "../../../../support/describe.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../../../support/compared-lookups.ts", import.meta.url));

/** Replaces three files of /etc for the processes below it, and runs the rest of its words. */
const IN_OTHER_SYSTEM = `
  for file in hosts resolv.conf nsswitch.conf; do mount --bind "$0/$file" /etc/$file || exit 1; done
  exec "$@"
`;

function mayMount(): boolean {
  return process.platform === "linux" && spawnSync("unshare", ["-m", "mount", "--bind", "/etc", "/etc"]).status === 0;
}

/** Each of its names occurs in the drawn hosts file, in the name server, or nowhere. */
const label = fc.constantFrom("a", "b", "x-1", "_u", "A", "Long-Label");
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("", ".", ".s1.test", ".s2.test"))
  .map(([labels, end]) => labels.join(".") + end);
const address = fc.oneof(
  fc.constantFrom("127.0.0.1", "::1", "10.0.0.1", "fe80::1", "2001:db8::5", "192.168.7.7", "127.3.0.9"),
  fc.ipV4(),
);
const addresses = fc.uniqueArray(address, { maxLength: 5 });
const special = fc.constantFrom("failing", "refused", "unclear", "half", "chain", "long");

/** Names that are no host names, and addresses in odd spellings. */
const ODD = ["a..b", "-a", "a/b", "a%41", "*.a", "1.2.3.4.5", "256.1.1.1", "127.0.0.1.", "127.1", "0x7f.1", "a.-b"];

describe("getaddrinfo lookup", (test) => {
  test("given names that this computer knows, and names that nobody knows, Weir finds what it finds", async () => {
    const resolver = systemResolver((...on) => startScript(LOOKUP_SCRIPT, HELPER_THREADS, ...on));
    const hosts = process.platform === "win32" ? "" : readFileSync("/etc/hosts", "utf8");
    const listed = hosts.split("\n").flatMap((line) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1));
    const numeric = fc.sample(fc.oneof(fc.ipV4Extended(), fc.ipV6()), 20);
    for (const one of new Set(["localhost", "LocalHost", "a..b", ...numeric, ...listed.slice(0, 20)])) {
      const codeOf = (error: NodeJS.ErrnoException) => error.code;
      const ours = await resolver.lookup(one).catch(codeOf);
      const theirs = await lookup(one, { all: true, order: "verbatim" }).catch(codeOf);
      const unique =
        typeof theirs === "object" ? [...new Map(theirs.map((found) => [found.address, found])).values()] : theirs;
      assert.equal(ours, unique, one);
    }
    resolver.close();
  });

  test(
    "given drawn hosts files, search lists and name servers, Weir finds what it finds, in its order, by the same questions",
    () =>
      withFolder(async (folder) => {
        for (let round = 0; round < 3; round += 1) {
          const [octets = []] = fc.sample(
            fc.array(fc.integer({ min: 1, max: 254 }), { minLength: 3, maxLength: 3 }),
            1,
          );
          const server = `127.${octets.join(".")}`;
          const lines = fc.sample(fc.tuple(address, fc.array(name, { maxLength: 3 })), 6);
          const [search = "", ndots = "", services = ""] =
            fc.sample(
              fc.tuple(
                fc.constantFrom("search s1.test s2.test\n", "domain s2.test\n", ""),
                fc.constantFrom("", "options ndots:2\n", "options ndots:0\n"),
                fc.constantFrom("files dns", "dns", "files mdns4_minimal [NOTFOUND=return] dns"),
              ),
              1,
            )[0] ?? [];
          writeFileSync(join(folder, "hosts"), lines.map(([first, names]) => `${first} ${names.join(" ")}\n`).join(""));
          writeFileSync(join(folder, "resolv.conf"), `nameserver ${server}\n${search}${ndots}options attempts:1\n`);
          writeFileSync(join(folder, "nsswitch.conf"), `hosts: ${services}\n`);
          const book = fc.sample(fc.tuple(name, addresses), 30).map(([one, list]) => [one.replace(/\.$/, ""), list]);
          const comparison: Comparison = {
            server,
            book: Object.fromEntries(book),
            names: [
              ...new Set([
                ...fc.sample(name, 60),
                ...fc.sample(
                  fc.tuple(special, name).map((parts) => parts.join(".")),
                  20,
                ),
                ...fc.sample(special, 4),
                ...ODD,
              ]),
            ],
          };
          const words = [
            "-m",
            "sh",
            "-c",
            IN_OTHER_SYSTEM,
            folder,
            process.execPath,
            PROGRAM,
            JSON.stringify(comparison),
          ];
          const { stdout } = await promisify(execFile)("unshare", words);
          assert.equal(JSON.parse(stdout), []);
        }
      }),
    { skip: mayMount() ? null : "needs root on Linux, where it may mount files" },
  );
});
