import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove, proveWith } from "../../support/proof.ts";
import { runTool } from "../../support/tool.ts";
import { needs, needsVersion, which } from "../../support/which.ts";

const COMMAND = "chromium/command@Chromium#sh";
const IMPORT = "chromium/authority-import@Linux#sh";
/** Where Chromium creates its store since 146. If `.pki/nssdb` existed, it would be read instead. */
const NEW_STORE = ".local/share/pki/nssdb";
/** The browser's own requests that no option stops. */
const CHECKS = /^(?:accounts\.google\.com|update\.googleapis\.com)(?::\d+)?$/;
const version = ["sh", "-c", "chromium --version 2>/dev/null"];

/**
 * The hub's command opens a window; a wrapper of the same name adds the options that a machine without a screen needs.
 */
function started({ saved, folder, textOf }: Place): readonly string[] {
  return launched({ saved, folder }, textOf(COMMAND));
}

/** The second way, in a profile whose trust comes from the store alone. */
function startedPlainly({ saved, folder, textOf }: Place): readonly string[] {
  const text = textOf(COMMAND);
  const plain = text.replace(/ '?--ignore-certificate-errors-spki-list=\S+/, "");
  assert.is.not(plain, text);
  return launched({ saved, folder }, plain);
}

function launched({ saved, folder }: Pick<Place, "saved" | "folder">, text: string): readonly string[] {
  mkdirSync(join(folder, "bin"));
  const sandbox = process.getuid?.() === 0 ? " --no-sandbox" : "";
  const script = `#!/bin/sh\nexec ${which("chromium")} --headless --disable-gpu --dump-dom --timeout=8000${sandbox} "$@"\n`;
  chmodSync(saved("bin/chromium", script), 0o755);
  return ["sh", "-c", `PATH="$HOME/bin:$PATH"\n${text}`];
}

describe("Chromium, with a profile of its own", (test) => {
  const limit = 120_000;
  const first = { skip: needs("chromium"), run: started, limit };
  prove(test, { ...first, form: COMMAND, version, fails: true });

  proveWith(
    test,
    { ...first, form: COMMAND },
    "ok",
    "leaves only the browser's checks of sign-in and components",
    async (place) => {
      const shown = await runTool(started(place), place.folder, { limit });
      assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", shown.output);
      assert.equal(
        place.hosts().filter((host) => host !== "probe.example" && !CHECKS.test(host)),
        [],
      );
    },
  );

  proveWith(
    test,
    { ...first, form: COMMAND, passThrough: true },
    "ok",
    "refuses another untrusted certificate, that of a host that Weir passes through",
    async (place) => {
      const { output } = await runTool(started(place), place.folder, { limit });
      assert.match(output, "ERR_CERT_AUTHORITY_INVALID");
      assert.ok(place.hosts().includes("probe.example"), "the browser came to Weir for it");
      assert.is(place.watch().state, "watching");
    },
  );

  const skip = needs("chromium", "certutil");
  const proof = {
    skip,
    before: ({ textOf }: Place) => [["sh", "-c", textOf(IMPORT)]],
    run: startedPlainly,
    limit,
  };
  prove(test, { ...proof, form: IMPORT, version, fails: true });

  for (const shell of ["sh", "fish"] as const) {
    const form = IMPORT.replace(/sh$/, shell);
    proveWith(
      test,
      { form: IMPORT, skip: skip ?? needs(shell) ?? needsVersion("chromium", 146) },
      "ok",
      `goes into the store that the browser has, in ${shell}, and out of it again`,
      async (place) => {
        const { folder, textOf, target } = place;
        const undo = target.variants
          .flatMap(({ forms }) => forms)
          .find((one) => one.shell === shell && one.version === "Linux")
          ?.undo?.(place.values);
        mkdirSync(join(folder, NEW_STORE), { recursive: true });
        const run = async (...argv: readonly string[]) => (await runTool(argv, folder)).output;
        await run("certutil", "-N", "--empty-password", "-d", `sql:${NEW_STORE}`);
        const listed = () => run("certutil", "-L", "-d", `sql:${NEW_STORE}`);
        assert.is(await run(shell, "-c", textOf(form)), "");
        assert.match(await listed(), /^Weir +C,,/m);
        const shown = await runTool(startedPlainly(place), folder, { limit });
        assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", shown.output);
        assert.is(await run(shell, "-c", undo ?? ""), "");
        assert.not.match(await listed(), "Weir");
        assert.not.ok(existsSync(join(folder, ".pki")));
      },
    );
  }
});
