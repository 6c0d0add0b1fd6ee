import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { VERSION } from "../../../extensions/proxy/version.ts";
import { describe } from "../../support/describe.ts";
import { NODES } from "../../support/node-20.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const SCRIPTS = fileURLToPath(new URL("../../../scripts/", import.meta.url));

function run(node: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, words, { encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("scripts in an outdated Node.js", (test) => {
  for (const [major, node] of Object.entries(NODES)) {
    const skip = node === null ? `needs Node.js ${major}` : null;
    test(
      `given Node.js ${major}, run in the installed Node, and end with its exit code`,
      () => {
        assert.equal(run(String(node), join(SCRIPTS, "weir.mjs"), "version"), {
          status: 0,
          stdout: `${VERSION}\n`,
          stderr: "",
        });
        const help = run(String(node), join(SCRIPTS, "start.mjs"), "--help");
        assert.equal([help.status, help.stderr], [0, ""]);
        assert.match(help.stdout, /^weir start/);
        assert.is(run(String(node), join(SCRIPTS, "weir.mjs"), "no-such-command").status, 2);
      },
      { skip },
    );

    test(
      `given Node.js ${major} and no installed Node, say what to install`,
      () =>
        withFolder((folder) => {
          const place = join(folder, "scripts");
          mkdirSync(place);
          for (const name of ["weir.mjs", "start.mjs", "installed-node.mjs", "stale.mjs"])
            copyFileSync(join(SCRIPTS, name), join(place, name));
          for (const name of ["weir.mjs", "start.mjs"]) {
            const { status, stdout, stderr } = run(String(node), join(place, name), "version");
            assert.equal([status, stdout], [70, ""]);
            assert.match(stderr, new RegExp(`^Weir needs Node.js 26 or newer, and this is v${major}\\.`));
          }
        }),
      { skip },
    );
  }

  test("given Yarn's Plug'n'Play, say which setting to change", () => {
    const pnp = "data:text/javascript,Object.defineProperty(process.versions,'pnp',{value:'3'})";
    const { status, stderr } = run(process.execPath, "--import", pnp, join(SCRIPTS, "start.mjs"), "--help");
    assert.is(status, 70);
    assert.match(stderr, /nodeLinker: node-modules/);
  });
});
