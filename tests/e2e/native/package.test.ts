import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { argumentsOf } from "../../../extensions/proxy/process/arguments.ts";
import { VERSION } from "../../../extensions/proxy/version.ts";
import { manPage } from "../../../scripts/man-page.ts";
import { composeApp } from "../../../scripts/package/app-folder.ts";
import { billOfMaterials } from "../../../scripts/package/bill-of-materials.ts";
import { SUMS, sumsOf } from "../../../scripts/package/checksums.ts";
import { deb } from "../../../scripts/package/deb.ts";
import { singleExecutable } from "../../../scripts/package/executable.ts";
import { manifests } from "../../../scripts/package/manifests.ts";
import { composeRelease } from "../../../scripts/package/release-folder.ts";
import { windowsConfig } from "../../../scripts/package/shell.ts";
import { stripped } from "../../../scripts/package/strip.ts";
import { entriesOf, tarArchive } from "../../../scripts/package/tar-archive.ts";
import { TARGETS, type Target } from "../../../scripts/package/targets.ts";
import { zip } from "../../../scripts/package/zip.ts";
import { OWN_WORDS } from "../../../scripts/terminal.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { extensionPid, FAKE, gone, nativeWeir, newExtensionPid } from "../../support/native-weir.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { builtApp, type Ready } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const BUILD = fileURLToPath(new URL("../../../build", import.meta.url));

const TEXTS = fileURLToPath(new URL("../../../scripts/package/texts", import.meta.url));

const LINUX = TARGETS.find(({ name }) => name === "linux-x64") as Target;

const isLinux = process.platform === "linux" && process.arch === "x64";
const skip = isLinux && process.env["WEIR_NEUTRALINO"] === undefined ? null : "needs Linux on x64 and no window";

/** A whole app folder for this machine. Its Node is a script that runs this one, and its window program the fake. */
async function composedApp(folder: string): Promise<string> {
  await builtApp();
  const node = join(folder, "node-package");
  mkdirSync(join(node, "bin"), { recursive: true });
  writeFileSync(join(node, "LICENSE"), "The licence of Node.js");
  writeFileSync(join(node, LINUX.node.executable), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  const app = join(folder, "My Apps", "weir");
  const window = await compiledFake(folder);
  composeApp({ target: LINUX, version: VERSION, app: BUILD, window, node }, app);
  return app;
}

/** The fake of Neutralino as a program that `weir start` takes for Neutralino's. */
async function compiledFake(folder: string): Promise<string> {
  const [source, program] = [join(folder, "fake.c"), join(folder, "fake")];
  const text = `#include <unistd.h>
static const char padding[1100000] = {1};
int main(int count, char **words) {
  char *all[64] = {"${process.execPath}", "${FAKE}"};
  for (int index = 1; index < count && index < 60; index += 1) all[index + 1] = words[index];
  execv(all[0], all);
  return padding[0];
}
`;
  writeFileSync(source, text);
  const { code, output } = await runTool(["gcc", "-o", program, source], folder);
  assert.is(code, 0, output);
  return program;
}

describe("native packages", (test) => {
  test(
    "given the Debian package, dpkg-deb reads it, its weir command runs and weir start opens the window",
    () =>
      withFolder(async (folder) => {
        const app = await composedApp(folder);
        const file = join(folder, "weir.deb");
        const options = { target: LINUX, version: VERSION, app, hasWindow: true };
        const made = deb(options);
        assert.equal(deb(options), made, "reproducible");
        writeFileSync(file, made);
        const run = async (...words: readonly string[]) => {
          const { code, output } = await runTool(words, folder);
          assert.is(code, 0, output);
          return output;
        };
        assert.is(
          await run("dpkg-deb", "--field", file, "Package", "Version", "Architecture", "Depends"),
          `Package: weir
Version: ${VERSION}
Architecture: amd64
Depends: libatomic1, libc6, libgcc-s1, libstdc++6, libgtk-3-0t64 | libgtk-3-0, libpng16-16t64 | libpng16-16, libwebkit2gtk-4.1-0 | libwebkit2gtk-4.0-37, libxtst6
`,
        );
        const contents = await run("dpkg-deb", "--contents", file);
        assert.match(contents, /\.\/usr\/bin\/weir -> \/opt\/weir\/weir$/m);
        assert.not.match(contents, / (?!root\/root)\S+\/\S+ +\d+ 2026/);
        const root = join(folder, "My Root");
        await run("dpkg-deb", "--extract", file, root);
        await run("dpkg-deb", "--control", file, join(folder, "control"));
        const sums = await runTool(["md5sum", "--check", "--quiet", join(folder, "control", "md5sums")], root);
        assert.equal([sums.code, sums.output], [0, ""]);
        assert.match(await run(join(folder, "control", "postrm"), "remove"), "~/.local/share/weir");
        assert.is(await run("gzip", "-dc", join(root, "usr/share/man/man1/weir.1.gz")), manPage());
        const desktop = readFileSync(join(root, "usr/share/applications/weir.desktop"), "utf8");
        for (const key of ["Exec", "Icon"]) {
          const [, path = ""] = new RegExp(`^${key}=(.*)$`, "m").exec(desktop) ?? [];
          assert.ok(statSync(join(root, path)).isFile(), path);
        }
        const weir = join(root, "opt/weir/weir");
        assert.is(await run(weir, "version"), `${VERSION}\n`);
        const dataDir = join(folder, "data");
        const words = ["start", "--native", "--json", "--port", "0", "--data-dir", dataDir];
        const { WEIR_NEUTRALINO: _, ...env } = process.env;
        const child = spawn(weir, words, { env, stdio: ["ignore", "pipe", "ignore"] });
        const exit = once(child, "exit");
        const [line] = await once(createInterface({ input: child.stdout }), "line");
        assert.is(JSON.parse(String(line)).host, "native");
        const pid = extensionPid(dataDir);
        assert.is(await run(weir, "stop", "--data-dir", dataDir), "");
        assert.equal(await exit, [0, null]);
        await gone(pid);
      }),
    { skip: skip ?? needs("dpkg-deb", "md5sum", "gcc", "xz", "gzip") },
  );

  test(
    "given a single executable, runs the weir command and threads, and restarts a killed engine",
    () =>
      withFolder(async (folder) => {
        await builtApp();
        const [release, staging] = [join(folder, "release"), join(folder, "staging")];
        mkdirSync(staging);
        composeRelease(BUILD, null, release);
        const weir = await singleExecutable({ release, version: VERSION, node: process.execPath, staging });
        rmSync(release, { recursive: true });
        const env = { PATH: "/usr/bin:/bin", HOME: folder };
        const run = (...words: readonly string[]) => spawnSync(weir, words, { env, encoding: "utf8" });
        assert.equal([run("version").stdout, run("nonsense").status], [`${VERSION}\n`, 2]);
        const dataDir = join(folder, "data");
        const words = ["--data-dir", dataDir];
        const started = run("start", "--background", "--json", "--port", "0", ...words);
        assert.is(started.status, 0, started.stderr);
        const { proxy, ui } = JSON.parse(started.stdout) as Ready;
        // Its helper process looks the name up.
        const client = new ProxiedClient({ port: proxy.port, ca: "" }, "http://no-such-name.local");
        assert.is((await client.ask("GET", "/")).status, 502);
        const pid = extensionPid(dataDir);
        process.kill(pid, "SIGKILL");
        await newExtensionPid(dataDir, pid);
        const page = await PageClient.open({ ui });
        await page.value({ view: "summary" });
        page.close();
        assert.equal(run("stop", ...words).status, 0);
      }),
    { skip: skip ?? needs("strip") },
  );

  test("given the container files, their commands are valid words of weir start and their certificate URL is Weir's", () => {
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
    const compose = read("packaging/compose.yaml");
    const [, given = ""] = /^CMD (\[.*\])$/m.exec(read("Dockerfile")) ?? [];
    const [, composed = ""] = /^ {4}command: \[(.*)\]$/m.exec(compose) ?? [];
    const commands: readonly (readonly string[])[] = [
      JSON.parse(given),
      composed.split(", ").map((word) => word.replaceAll('"', "")),
    ];
    for (const [index, [command, ...words]] of commands.entries()) {
      assert.is(command, "start");
      const { listen, port, allowPrivateTargets } = unwrap(
        argumentsOf(words.filter((word) => !OWN_WORDS.includes(word))),
      );
      assert.equal(
        { listen, port, allowPrivateTargets },
        { listen: "0.0.0.0", port: 8686, allowPrivateTargets: index === 1 },
      );
    }
    assert.match(compose, "http://weir.test/weir-ca.pem");
  });

  test("given the macOS package, its Info.plist names the architecture, and sh can parse each launcher", () =>
    withFolder(async (folder) => {
      for (const name of ["launcher-mac.sh", "launcher-linux.sh", "postrm"])
        assert.equal((await runTool(["sh", "-n", join(TEXTS, name)], folder)).output, "");
      const list = readFileSync(join(TEXTS, "Info.plist"), "utf8");
      assert.match(list, /<key>LSArchitecturePriority<\/key><array><string>\{architecture\}<\/string><\/array>/);
    }));

  test("given the Windows package, its config starts the extension from build/ and is otherwise unchanged", async () => {
    await builtApp();
    const config = JSON.parse(readFileSync(join(BUILD, "neutralino.config.json"), "utf8"));
    const commands = windowsConfig(BUILD).extensions.map(({ commandWindows }) => commandWindows);
    for (const command of commands) {
      assert.match(command, /\$\{NL_PATH\}\\build\\extensions\\proxy\\main\.mjs/);
      assert.not.match(command, /\$\{NL_PATH\}(?!\\build\\)/);
    }
    assert.equal(
      commands.map((command) => command.replaceAll("\\build\\", "\\")),
      config.extensions.map(({ commandWindows }: { readonly commandWindows: string }) => commandWindows),
    );
  });

  test(
    "given a Node for Linux, strips its symbols, after which it still runs",
    () =>
      withFolder(async (folder) => {
        const node = join(folder, "node");
        copyFileSync(process.execPath, node);
        const before = statSync(node).size;
        stripped(node);
        assert.ok(statSync(node).size < before);
        assert.is((await runTool([node, "-p", "6 * 7"], folder)).output, "42\n");
        writeFileSync(node, "not a program");
        assert.throws(() => stripped(node), /can strip/);
      }),
    { skip: skip ?? needs("strip") },
  );

  test(
    "given a folder of packages, writes checksums of all files that sha256sum accepts",
    () =>
      withFolder(async (folder) => {
        mkdirSync(join(folder, "scoop"));
        mkdirSync(join(folder, ".cache"));
        for (const path of ["weir.tar.xz", "weir.cdx.json", "scoop/weir.json", ".cache/node", SUMS])
          writeFileSync(join(folder, path), path);
        writeFileSync(join(folder, SUMS), sumsOf(folder));
        const { code, output } = await runTool(["sha256sum", "--check", SUMS], folder);
        assert.equal([code, output], [0, "scoop/weir.json: OK\nweir.cdx.json: OK\nweir.tar.xz: OK\n"]);
      }),
    { skip: needs("sha256sum") },
  );

  test(
    "given the AppStream metadata, appstreamcli finds them valid",
    async () => {
      await withFolder(async (folder) => {
        const { code, output } = await runTool(
          ["appstreamcli", "validate", "--no-net", join(TEXTS, "metainfo.xml")],
          folder,
        );
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
    const names = ["mac-arm64.tar.xz", "mac-x64.tar.xz", "windows-x64.zip"];
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
    sums.delete("weir-0.1.0-mac-x64.tar.xz");
    assert.not.ok(manifests(published, sums).has("homebrew/weir.rb"));
    assert.equal([...manifests(published, new Map()).keys()], []);
  });

  test(
    "given the bill of materials, names each npm dependency with its version",
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

  test(
    "given an app in a path with a space, starts its engine by the config's command line",
    () =>
      withFolder(async (folder) => {
        const app = join(await composedApp(folder), "build");
        const weir = await nativeWeir({ dataDir: join(folder, "data"), app });
        const { dataDir } = await weir.ready;
        const pid = extensionPid(dataDir);
        const page = await weir.page();
        await page.heard("welcome");
        page.close();
        await weir.end("SIGKILL");
        await gone(pid);
      }),
    { skip: skip ?? needs("gcc") },
  );

  test(
    "given a ZIP file for Windows, unzip restores the same files",
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
