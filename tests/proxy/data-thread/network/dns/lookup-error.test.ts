import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import {
  expectDescriptors,
  LookupError,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import { errorTypeOf } from "../../../../../extensions/proxy/data-thread/network/sockets/error-type.ts";
import { describe } from "../../../../support/describe.ts";

const RESOLVER = new URL("../../../../../extensions/proxy/data-thread/network/dns/name-resolver.ts", import.meta.url)
  .href;

/** Look-ups for which no descriptor is left, by Weir itself and, where no process can be started, by the system. */
const LOOK_UP = `
  const { openSync } = process.getBuiltinModule("fs");
  const { NameResolver, systemResolver } = await import(${JSON.stringify(RESOLVER)});
  const start = (_, onEnd) => (setImmediate(onEnd), { send() {}, kill() {} });
  const texts = { "nsswitch.conf": "hosts: files dns", "resolv.conf": "nameserver 127.0.0.1\\noptions attempts:1" };
  const system = { text: (file) => texts[file] ?? null, hostName: () => "here", hasResolved: () => false };
  const resolvers = [systemResolver(start), new NameResolver({ system, start }), new NameResolver({ system: null, start })];
  try { for (;;) openSync("/dev/null"); } catch {}
  const codes = await Promise.all(resolvers.map((one) => one.lookup("name.invalid").then(() => "found", ({ code }) => code)));
  process.stdout.write(codes.join(" "));
  process.exit();
`;

describe("lookup error codes", (test) => {
  test("given the codes of a look-up, they are those of an unresolved name, with a sentence", () => {
    for (const code of ["ENOTFOUND", "EAI_AGAIN", "ERR_TOO_MANY_LOOKUPS"]) {
      const failure = errorTypeOf(new LookupError(code, "a.example"));
      assert.is(failure.errorType, "name-not-resolved");
      assert.match(failure.detail, /^[A-Z].*\. \([A-Z_]+\)$/);
    }
    expectDescriptors();
  });

  test(
    "given that no descriptor is left for a look-up, reports that, and not that there is no such name",
    async () => {
      const program = `ulimit -n 100; exec "$0" --input-type=module -e "$1"`;
      const { stdout } = await promisify(execFile)("sh", ["-c", program, process.execPath, LOOK_UP]);
      assert.is(stdout, "EMFILE EMFILE EMFILE");
    },
    { skip: process.platform === "win32" ? "needs ulimit" : null },
  );
});
