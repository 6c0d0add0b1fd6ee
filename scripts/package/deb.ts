import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { entriesOf, type TarEntry, tarArchive } from "./tar-archive.ts";
import type { Edition, Target } from "./targets.ts";

const TEXTS = fileURLToPath(new URL("./texts", import.meta.url));

/** A package for Debian and its descendants. */
export interface DebOptions {
  readonly target: Target;
  readonly edition: Edition;
  readonly version: string;
  /** The app folder, as in the archive for Linux. */
  readonly app: string;
}

/** Debian's names of our architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" };

/** The folder in which desktops look for an icon by its name (Icon Theme Specification). */
const ICON_FOLDER = "usr/share/icons/hicolor/scalable/apps";

/** The packages of GTK and WebKitGTK, by their names in older and newer versions of Debian and Ubuntu. */
const WINDOW = ["libgtk-3-0 | libgtk-3-0t64", "libwebkit2gtk-4.1-0 | libwebkit2gtk-4.0-37"];

/** Makes a .deb (deb(5)). It has no scripts that run at installation. */
export function deb({ target, edition, version, app }: DebOptions): Buffer {
  const files: readonly TarEntry[] = [
    ...foldersOf("opt"),
    ...entriesOf(app, "./opt/weir"),
    ...foldersOf("usr/bin", "usr/share/applications", "usr/share/metainfo", "usr/share/doc/weir", ICON_FOLDER),
    { path: "./usr/bin/weir", kind: "link", target: "/opt/weir/weir" },
    textFile("./usr/share/applications/weir.desktop", readFileSync(join(TEXTS, "weir.desktop"))),
    textFile("./usr/share/metainfo/dev.weir.app.metainfo.xml", readFileSync(join(TEXTS, "metainfo.xml"))),
    textFile(`./${ICON_FOLDER}/weir.svg`, readFileSync(join(app, "resources", "icons", "weir.svg"))),
    textFile("./usr/share/doc/weir/copyright", readFileSync(join(app, "LICENSE"))),
  ];
  const size = files.reduce((total, entry) => total + (entry.kind === "file" ? entry.bytes.length : 0), 0);
  const control = controlOf({ target, edition, version, kilobytes: Math.ceil(size / 1024) });
  const meta: readonly TarEntry[] = [
    { path: ".", kind: "folder" },
    textFile("./control", Buffer.from(control)),
    textFile("./md5sums", Buffer.from(sumsOf(files))),
  ];
  return archive([
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.gz", gzipSync(tarArchive(meta))],
    ["data.tar.gz", gzipSync(tarArchive([{ path: ".", kind: "folder" }, ...files]))],
  ]);
}

function controlOf(facts: Omit<DebOptions, "app"> & { readonly kilobytes: number }): string {
  const { target, edition, version, kilobytes } = facts;
  const needed = edition === "full" ? ["libatomic1"] : ["nodejs (>= 26)"];
  return readFileSync(join(TEXTS, "control"), "utf8")
    .replace("{version}", version)
    .replace("{architecture}", ARCHITECTURES[target.name] ?? target.name)
    .replace("{size}", String(kilobytes))
    .replace("{depends}", [...needed, ...WINDOW].join(", "));
}

function textFile(path: string, bytes: Uint8Array): TarEntry {
  return { path, kind: "file", bytes, isExecutable: false };
}

/** These folders and their parents, each once, the parents first. */
function foldersOf(...paths: readonly string[]): readonly TarEntry[] {
  const all = paths.flatMap((path) => path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/")));
  return [...new Set(all)].map((path) => ({ path: `./${path}`, kind: "folder" }));
}

/** The text of the file md5sums, with which `dpkg --verify` finds changed files. */
function sumsOf(entries: readonly TarEntry[]): string {
  return entries
    .flatMap((entry) =>
      entry.kind === "file"
        ? [`${createHash("md5").update(entry.bytes).digest("hex")}  ${entry.path.slice("./".length)}\n`]
        : [],
    )
    .join("");
}

/** An ar archive (deb(5); ar(5)): each file has a header of 60 bytes before it, and begins at an even offset. */
function archive(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Buffer {
  const parts = files.flatMap(([name, bytes]) => {
    const facts = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
    const header = Buffer.from(`${facts.join("")}${String(bytes.length).padEnd(10)}\`\n`, "latin1");
    return [header, bytes, Buffer.from(bytes.length % 2 === 0 ? "" : "\n")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
