import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "./describe.ts";
import { withFolder } from "./temporary-folder.ts";

const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Whether the tests count a computer's python3 as usable, and whether it runs. */
const LOOKED_FOR = `
import { needs, toolFor } from ${module("which.ts")};
import { runTool } from ${module("tool.ts")};
import { withFolder } from ${module("temporary-folder.ts")};
await withFolder(async (folder) => {
  const { code } = await runTool(["python3", "-c", "import ssl"], folder);
  const { code: withLibrary } = await runTool(["python3", "-c", "import requests"], folder);
  const found = toolFor(["python3"], ["-c", "import requests"]);
  console.log(JSON.stringify({ reason: needs("python3"), runs: code === 0, found, withLibrary: withLibrary === 0 }));
});`;

const ONE_TEST = `
import { describe } from ${module("describe.ts")};
import { needs } from ${module("which.ts")};
describe("a suite", (test) => test("with Python", () => {}, { skip: needs("python3") }));`;

interface Machine {
  /** The lines of a shell script named python3, which comes first on PATH; `REAL_HOME` is the HOME of the test run. */
  readonly shim: string;
  /** Folders to make in that HOME. */
  readonly folders?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program with the HOME and PATH of this computer. */
async function on(machine: Machine, program: string, body: (ran: ReturnType<typeof started>, shim: string) => void) {
  await withFolder((home) => {
    mkdirSync(join(home, "shims"));
    for (const name of machine.folders ?? []) mkdirSync(join(home, name));
    const shim = join(home, "shims", "python3");
    writeFileSync(shim, `#!/bin/sh\nREAL_HOME=${home}\n${machine.shim}\n`, { mode: 0o755 });
    body(started(program, { ...machine.env, HOME: home, PATH: join(home, "shims") }), shim);
  });
}

function started(program: string, env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" });
}

const FINDS_ROOT = '[ -d "$PYENV_ROOT" ] || exit 1';
const FINDS_HOME = '[ "$HOME" = "$REAL_HOME" ] || exit 1';
const HAS_NO_LIBRARY = '[ "$2" = "import requests" ] && exit 1';

describe("version manager shims on PATH", (test) => {
  for (const [title, machine, usable, hasLibrary] of [
    ["given its folder in HOME, is found and run", { shim: FINDS_ROOT, folders: [".pyenv"] }, true, true],
    ["given its folder by a variable, is found and run", { shim: FINDS_ROOT, env: { PYENV_ROOT: "/" } }, true, true],
    ["given that it finds nothing, is neither found nor run", { shim: FINDS_ROOT }, false, false],
    ["given that it needs the HOME of a person, is neither found nor run", { shim: FINDS_HOME }, false, false],
    [
      "given a library for one HOME alone, is found without the library",
      { shim: `${FINDS_HOME.replace("exit 1", `${HAS_NO_LIBRARY}; exit 0`)}` },
      true,
      false,
    ],
  ] as const) {
    test(title, () =>
      on(machine, LOOKED_FOR, ({ stdout, stderr }, shim) => {
        assert.is(stderr, "");
        const { reason, ...rest } = JSON.parse(stdout);
        assert.equal(rest, { runs: usable, found: hasLibrary ? shim : null, withLibrary: hasLibrary });
        assert.is(reason, usable ? null : `needs python3 that runs with a HOME of its own (not ${shim})`);
      }),
    );
  }

  test("given that it does not run, skips its tests by name, and fails them where tools are required", async () => {
    await on({ shim: FINDS_HOME }, ONE_TEST, ({ status, stdout }, shim) => {
      assert.is(status, 0);
      assert.match(
        stdout,
        `SKIPPED a suite: with Python (needs python3 that runs with a HOME of its own (not ${shim}))\n`,
      );
    });
    const env = { WEIR_TESTS_REQUIRE_TOOLS: "1" };
    await on({ shim: FINDS_HOME, env }, ONE_TEST, ({ status, stdout }) => {
      assert.is(status, 1);
      assert.match(stdout, "required tool is missing: needs python3");
    });
  });
});
