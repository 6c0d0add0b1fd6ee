import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove } from "../../support/proof.ts";
import { TOOL_PATH } from "../../support/tool.ts";
import { needs, which } from "../../support/which.ts";

const IMPORT = "chromium/authority-import@Linux#sh";
const version = ["sh", "-c", "chromium --version 2>/dev/null"];

/** The hub's command opens a window; here the program of that name adds what a machine without a screen needs. */
function started({ saved, folder, textOf }: Place): readonly string[] {
  mkdirSync(join(folder, "bin"));
  const sandbox = process.getuid?.() === 0 ? " --no-sandbox" : "";
  const script = `#!/bin/sh\nexec ${which("chromium")} --headless --disable-gpu --dump-dom --timeout=8000${sandbox} "$@"\n`;
  chmodSync(saved("bin/chromium", script), 0o755);
  return ["sh", "-c", `PATH="$HOME/bin:$PATH"\n${textOf("chromium/command@Chromium#sh")}`];
}

describe("Chromium, with a profile of its own", (test) => {
  const skip = needs("chromium", "certutil");
  const proof = {
    skip,
    before: ({ textOf }: Place) => [["sh", "-c", textOf(IMPORT)]],
    run: started,
    env: { PATH: TOOL_PATH },
    limit: 120_000,
  };
  prove(test, {
    ...proof,
    form: "chromium/command@Chromium#sh",
    version,
    fails: true,
  });
  prove(test, { ...proof, form: IMPORT, version });
});
