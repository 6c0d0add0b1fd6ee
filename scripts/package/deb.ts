import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { entriesOf, type TarEntry, tarArchive } from "./tar-archive.ts";
import type { Target } from "./targets.ts";
import { xz } from "./xz.ts";

const TEXTS = fileURLToPath(new URL("./texts", import.meta.url));

/** A package for Debian and its descendants. */
export interface DebOptions {
  readonly target: Target;
  readonly version: string;
  /** The app folder, as in the archive for Linux. */
  readonly app: string;
  /** Whether the folder contains the program for a native window. */
  readonly hasWindow: boolean;
}

/** The folder in which desktops look for an icon by its name (Icon Theme Specification). */
const ICON_FOLDER = "usr/share/icons/hicolor/scalable/apps";

const MENU_FOLDERS = ["usr/share/applications", "usr/share/metainfo", ICON_FOLDER];

/** The packages of the libraries that Node links. */
const NODE = ["libatomic1", "libc6", "libgcc-s1", "libstdc++6"];

/** Those that Neutralino's program links besides, by their names in older and newer versions of Debian and Ubuntu. */
const WINDOW = [
  "libgtk-3-0t64 | libgtk-3-0",
  "libpng16-16t64 | libpng16-16",
  "libwebkit2gtk-4.1-0 | libwebkit2gtk-4.0-37",
  "libxtst6",
];

/** Makes a .deb (deb(5)). Its only script says, after a removal, which data is kept. */
export function deb({ target, version, app, hasWindow }: DebOptions): Buffer {
  const files: readonly TarEntry[] = [
    ...foldersOf("opt"),
    ...entriesOf(app, "./opt/weir"),
    ...foldersOf("usr/bin", "usr/share/doc/weir", "usr/share/man/man1", ...(hasWindow ? MENU_FOLDERS : [])),
    { path: "./usr/bin/weir", kind: "link", target: "/opt/weir/weir" },
    textFile("./usr/share/doc/weir/copyright", readFileSync(join(app, "LICENSE"))),
    textFile("./usr/share/man/man1/weir.1.gz", gzipSync(readFileSync(join(app, "build", "weir.1")), { level: 9 })),
    ...(hasWindow ? menuEntry(app) : []),
  ];
  const size = files.reduce((total, entry) => total + (entry.kind === "file" ? entry.bytes.length : 0), 0);
  const control = controlOf({ target, version, hasWindow, kilobytes: Math.ceil(size / 1024) });
  const meta: readonly TarEntry[] = [
    { path: ".", kind: "folder" },
    textFile("./control", Buffer.from(control)),
    textFile("./md5sums", Buffer.from(sumsOf(files))),
    { path: "./postrm", kind: "file", bytes: readFileSync(join(TEXTS, "postrm")), isExecutable: true },
  ];
  return archive([
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.xz", xz(tarArchive(meta))],
    ["data.tar.xz", xz(tarArchive([{ path: ".", kind: "folder" }, ...files]))],
  ]);
}

/** What shows Weir in the menu of programs and in software centres. */
function menuEntry(app: string): readonly TarEntry[] {
  return [
    textFile("./usr/share/applications/weir.desktop", readFileSync(join(TEXTS, "weir.desktop"))),
    textFile("./usr/share/metainfo/dev.weir.app.metainfo.xml", readFileSync(join(TEXTS, "metainfo.xml"))),
    textFile(`./${ICON_FOLDER}/weir.svg`, readFileSync(join(app, "build", "resources", "icons", "weir.svg"))),
  ];
}

function controlOf(facts: Omit<DebOptions, "app"> & { readonly kilobytes: number }): string {
  const { target, version, hasWindow, kilobytes } = facts;
  return readFileSync(join(TEXTS, "control"), "utf8")
    .replace("{version}", version)
    .replace("{architecture}", target.architecture)
    .replace("{size}", String(kilobytes))
    .replace("{depends}", [...NODE, ...(hasWindow ? WINDOW : [])].join(", "));
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
