import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NativeShell } from "./window/hub-window.ts";

/*
 * Where the program's own files lie: beside the bundle in the app folder, and from source in the repository. Bundled, this
 * file is a part of main.mjs, which lies as deep as it does.
 */
const here = dirname(fileURLToPath(import.meta.url));

/** The built page. */
export function resourcesFolder(): string {
  return join(here, import.meta.url.endsWith(".ts") ? "../../build/resources" : "../../resources");
}

/**
 * The window's own program: the starting script names it, and in a packaged app it lies beside extensions/ (macOS: in the
 * bundle's own place for programs).
 */
export function nativeShell(): NativeShell {
  const app = join(here, "../..");
  const path = `--path=${app}`;
  const given = process.env["WEIR_NATIVE"];
  if (given !== undefined) return { program: given, words: ["--load-dir-res", path] };
  const packaged: Partial<Record<NodeJS.Platform, string>> = { win32: "weir.exe", darwin: "../MacOS/weir-window" };
  return { program: join(app, packaged[process.platform] ?? "weir-window"), words: [path] };
}
