import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { composeApp, composeExtension } from "../../../scripts/package/app-folder.ts";
import { billOfMaterials } from "../../../scripts/package/bill-of-materials.ts";
import { deb } from "../../../scripts/package/deb.ts";
import { manifests } from "../../../scripts/package/manifests.ts";
import { nodeRuntime } from "../../../scripts/package/node-runtime.ts";
import { entriesOf, tarArchive } from "../../../scripts/package/tar-archive.ts";
import { type Edition, TARGETS, type Target } from "../../../scripts/package/targets.ts";
import { zip } from "../../../scripts/package/zip.ts";
import { describe } from "../../support/describe.ts";
import { extensionPid, FAKE, gone, nativeWeir } from "../../support/native-weir.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const BUILD = fileURLToPath(new URL("../../../build", import.meta.url));

const METAINFO = fileURLToPath(new URL("../../../scripts/package/texts/metainfo.xml", import.meta.url));

const LINUX = TARGETS.find(({ name }) => name === "linux-x64") as Target;

const isLinux = process.platform === "linux" && process.arch === "x64";
const skip =
  isLinux && process.env["WEIR_NEUTRALINO"] === undefined ? needs("tar") : "needs Linux on x64 and no window";

/** The part of this machine's package that Neutralino starts, in a folder with a space in its path. */
async function unpackedApp(folder: string, edition: Edition): Promise<string> {
  await builtApp();
  const target = LINUX;
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
  // A package has both files in resources.neu. The fake window program does not read that file, but resources/.
  const app = join(place, "weir");
  copyFileSync(join(BUILD, "neutralino.config.json"), join(app, "neutralino.config.json"));
  mkdirSync(join(app, "resources"));
  copyFileSync(join(BUILD, "resources", "index.html"), join(app, "resources", "index.html"));
  return app;
}

/** A whole app folder for this machine, whose window program is the fake. */
async function composedApp(folder: string, edition: Edition): Promise<string> {
  await builtApp();
  const shell = join(folder, "shell");
  mkdirSync(shell);
  writeFileSync(join(shell, "resources.neu"), "");
  const fake = `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "$@"\n`;
  writeFileSync(join(shell, LINUX.built), fake);
  const app = join(folder, "weir");
  const node = nodeRuntime(LINUX, folder);
  composeApp({ target: LINUX, edition, version: "0.1.0", app: BUILD, shell, node }, app);
  copyFileSync(join(BUILD, "neutralino.config.json"), join(app, "neutralino.config.json"));
  return app;
}

describe("a package", (test) => {
  for (const [edition, needed] of [
    ["full", "libatomic1"],
    ["slim", "nodejs (>= 26)"],
  ] as const)
    test(
      `for Debian in its ${edition} edition is one that dpkg-deb reads, starts from its launcher, and ends`,
      () =>
        withFolder(async (folder) => {
          const app = await composedApp(folder, edition);
          const file = join(folder, "weir.deb");
          const made = deb({ target: LINUX, edition, version: "0.1.0", app });
          assert.equal(deb({ target: LINUX, edition, version: "0.1.0", app }), made, "reproducible");
          writeFileSync(file, made);
          const dpkg = async (...words: readonly string[]) => {
            const { code, output } = await runTool(["dpkg-deb", ...words], folder);
            assert.is(code, 0, output);
            return output;
          };
          assert.is(
            await dpkg("--field", file, "Package", "Version", "Architecture", "Depends"),
            `Package: weir
Version: 0.1.0
Architecture: amd64
Depends: ${needed}, libgtk-3-0 | libgtk-3-0t64, libwebkit2gtk-4.1-0 | libwebkit2gtk-4.0-37
`,
          );
          const contents = await dpkg("--contents", file);
          assert.match(contents, /^lrwxrwxrwx|^lrwxr-xr-x/m);
          assert.match(contents, /\.\/usr\/bin\/weir -> \/opt\/weir\/weir$/m);
          assert.not.match(contents, / (?!root\/root)\S+\/\S+ +\d+ 2026/);
          const root = join(folder, "My Root");
          await dpkg("--extract", file, root);
          await dpkg("--control", file, join(folder, "control"));
          const sums = await runTool(["md5sum", "--check", "--quiet", join(folder, "control", "md5sums")], root);
          assert.equal([sums.code, sums.output], [0, ""]);
          const desktop = readFileSync(join(root, "usr/share/applications/weir.desktop"), "utf8");
          const [, exec = ""] = /^Exec=(.*)$/m.exec(desktop) ?? [];
          const installed = join(root, "opt/weir");
          const weir = await nativeWeir({ dataDir: join(folder, "data"), app: installed, program: join(root, exec) });
          const { dataDir } = await weir.ready;
          const pid = extensionPid(dataDir);
          const page = await weir.page();
          await page.heard("welcome");
          page.close();
          await weir.end("SIGKILL");
          await gone(pid);
        }),
      { skip: skip ?? needs("dpkg-deb", "md5sum"), limit: 120_000 },
    );

  test(
    "its AppStream metadata is valid",
    async () => {
      await withFolder(async (folder) => {
        const { code, output } = await runTool(["appstreamcli", "validate", "--no-net", METAINFO], folder);
        assert.is(code, 0, output);
      });
    },
    { skip: needs("appstreamcli") },
  );

  test("given folders, links and long names, a tar archive holds them as tar reads them", () =>
    withFolder(async (folder) => {
      const long = `${"d".repeat(90)}/${"e".repeat(60)}`;
      const source = join(folder, "source");
      mkdirSync(join(source, long), { recursive: true });
      const text = "x".repeat(700);
      writeFileSync(join(source, long, "file"), text, { mode: 0o755 });
      writeFileSync(join(source, "d"), "short");
      const entries = [...entriesOf(source, "."), { path: "./link", kind: "link", target: "d" } as const];
      writeFileSync(join(folder, "a.tar"), tarArchive(entries));
      const out = join(folder, "out");
      mkdirSync(out);
      const { code, output } = await runTool(["tar", "-xpf", join(folder, "a.tar"), "-C", out], folder);
      assert.equal([code, output], [0, ""]);
      assert.is(readFileSync(join(out, "link"), "utf8"), "short");
      assert.is(readFileSync(join(out, long, "file"), "utf8"), text);
      assert.is(statSync(join(out, long, "file")).mode & 0o777, 0o755);
      assert.throws(() => tarArchive([{ path: "f".repeat(200), kind: "folder" }]), /too long/);
      assert.throws(() => tarArchive([{ path: "f", kind: "link", target: long }]), /too long/);
    }));

  test("given packages and where they are published, fills the manifests of which it has every package", () => {
    const published = { version: "0.1.0", url: "https://a.test/v0.1.0", home: "https://a.test" };
    const names = ["mac-arm64.tar.gz", "mac-x64.tar.gz", "windows-x64.zip"];
    const sums = new Map(names.map((name, index) => [`weir-0.1.0-${name}`, String(index).repeat(64)]));
    const texts = manifests(published, sums);
    assert.equal(
      [...texts.keys()].map((path) => path.split("/")[0]),
      ["homebrew", "scoop", "winget", "winget", "winget"],
    );
    for (const [path, text] of texts) {
      assert.not.match(text, "{{");
      if (!path.endsWith("Weir.Weir.yaml")) assert.match(text, "https://a.test");
    }
    const cask = texts.get("homebrew/weir.rb") ?? "";
    assert.match(cask, `sha256 arm:   "${"0".repeat(64)}",\n         intel: "${"1".repeat(64)}"`);
    const { architecture } = JSON.parse(texts.get("scoop/weir.json") ?? "");
    assert.equal(architecture["64bit"], {
      url: "https://a.test/v0.1.0/weir-0.1.0-windows-x64.zip",
      hash: "2".repeat(64),
      extract_dir: "weir",
    });
    sums.delete("weir-0.1.0-mac-x64.tar.gz");
    assert.not.ok(manifests(published, sums).has("homebrew/weir.rb"));
    assert.equal([...manifests(published, new Map()).keys()], []);
  });

  test(
    "the bill of materials names each npm package with its version and licence",
    () => {
      const { bomFormat, metadata, components } = JSON.parse(billOfMaterials());
      assert.equal([bomFormat, metadata.component.name], ["CycloneDX", "weir-proxy"]);
      const { dependencies } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
      for (const [name, version] of Object.entries(dependencies)) {
        const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
        assert.ok(
          components.some((one: { readonly purl: string }) => one.purl === purl),
          purl,
        );
      }
    },
    { skip: process.env["npm_execpath"] === undefined ? "needs npm test" : null },
  );

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
