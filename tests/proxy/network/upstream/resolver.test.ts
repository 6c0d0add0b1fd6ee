import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { errorTypeOf } from "../../../../extensions/proxy/network/sockets/error-type.ts";
import { systemResolver } from "../../../../extensions/proxy/network/upstream/resolver.ts";
import { describe } from "../../../support/describe.ts";

const RESOLVER = new URL("../../../../extensions/proxy/network/upstream/resolver.ts", import.meta.url).href;

/** A first lookup for which no descriptor is left; a later one gets the system's own code. */
const LOOK_UP = `
  const { openSync } = process.getBuiltinModule("fs");
  const { systemResolver } = await import(${JSON.stringify(RESOLVER)});
  try { for (;;) openSync("/dev/null"); } catch {}
  process.stdout.write(await systemResolver.lookup("name.invalid").then(() => "found", ({ code }) => code));
`;

describe("resolver", (test) => {
  test("a name that there is not is told as that", async () => {
    const failure = await systemResolver.lookup("name.invalid").then(
      () => null,
      (error: Error) => errorTypeOf(error),
    );
    assert.is(failure?.errorType, "name-not-resolved");
  });

  test(
    "where no descriptor is left for the look-up, that is told, and not that there is no such name",
    async () => {
      const program = `ulimit -n 100; exec "$0" --input-type=module -e "$1"`;
      const { stdout } = await promisify(execFile)("sh", ["-c", program, process.execPath, LOOK_UP]);
      assert.is(stdout, "EMFILE");
    },
    { skip: process.platform === "win32" ? "needs ulimit" : null },
  );
});
