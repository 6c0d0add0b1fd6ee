import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { composeExtension } from "../../../scripts/package/app-folder.ts";
import { nodeRuntime } from "../../../scripts/package/node-runtime.ts";
import { type Edition, TARGETS } from "../../../scripts/package/targets.ts";
import { zip } from "../../../scripts/package/zip.ts";
import { describe } from "../../support/describe.ts";
import { extensionPid, gone, nativeWeir } from "../../support/native-weir.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const BUILD = fileURLToPath(new URL("../../../build", import.meta.url));

const isLinux = process.platform === "linux" && process.arch === "x64";
const skip =
  isLinux && process.env["WEIR_NEUTRALINO"] === undefined ? needs("tar") : "needs Linux on x64 and no window";

/** The part of this machine's package that Neutralino starts, in a folder with a space in its path. */
async function unpackedApp(folder: string, edition: Edition): Promise<string> {
  await builtApp();
  const target = TARGETS.find(({ name }) => name === "linux-x64");
  if (target === undefined) throw new Error("no such target");
  const made = join(folder, "made", "weir");
  const node = nodeRuntime(target, folder);
  composeExtension({ target, edition, version: "0", app: BUILD, shell: "", node }, join(made, "extensions", "proxy"));
  const archive = join(folder, "weir.tar.gz");
  const packed = await runTool(["tar", "-czf", archive, "-C", join(folder, "made"), "weir"], folder);
  assert.is(packed.code, 0, packed.output);
  const place = join(folder, "My Apps");
  mkdirSync(place);
  const unpacked = await runTool(["tar", "-xzf", archive, "-C", place], folder);
  assert.is(unpacked.code, 0, unpacked.output);
  // A package has these two in resources.neu, which the fake does not read; its server reads resources/.
  const app = join(place, "weir");
  copyFileSync(join(BUILD, "neutralino.config.json"), join(app, "neutralino.config.json"));
  mkdirSync(join(app, "resources"));
  copyFileSync(join(BUILD, "resources", "index.html"), join(app, "resources", "index.html"));
  return app;
}

describe("a package", (test) => {
  for (const edition of ["full", "slim"] as const) {
    test(
      `its ${edition} engine starts from a path with a space, by the command line of the config`,
      () =>
        withFolder(async (folder) => {
          const app = await unpackedApp(folder, edition);
          const weir = await nativeWeir({ dataDir: join(folder, "data"), app });
          const { dataDir } = await weir.ready;
          const pid = extensionPid(dataDir);
          const page = await weir.page();
          await page.heard("welcome");
          page.close();
          await weir.end("SIGKILL");
          await gone(pid);
        }),
      { skip, limit: 120_000 },
    );
  }

  test(
    "for Windows it is a ZIP file that others unpack as it was",
    () =>
      withFolder(async (folder) => {
        const source = join(folder, "weir");
        mkdirSync(join(source, "extensions"), { recursive: true });
        const files = ["one.txt", "extensions/zwölf.txt", "extensions/empty"];
        const texts = ["one ".repeat(50_000), "Wörter\n", ""];
        for (const [index, name] of files.entries()) writeFileSync(join(source, name), texts[index] ?? "");
        const archive = join(folder, "weir.zip");
        writeFileSync(archive, zip(source));
        assert.ok(statSync(archive).size < 5_000);
        const out = join(folder, "out");
        const { code, output } = await runTool(["unzip", "-q", archive, "-d", out], folder);
        assert.is(code, 0, output);
        assert.equal(
          files.map((name) => readFileSync(join(out, "weir", name), "utf8")),
          texts,
        );
      }),
    { skip: needs("unzip") },
  );
});
