import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NativeShell } from "../window/hub-window.ts";

/*
 * Paths of the program's own files: next to the bundle in the app folder, or in the repository. Bundled, this file is
 * part of main.mjs, which is at the same depth.
 */
const here = dirname(fileURLToPath(import.meta.url));

/** The built page. */
export function resourcesFolder(): string {
  return join(here, import.meta.url.endsWith(".ts") ? "../../build/resources" : "../../resources");
}

/**
 * The program of the native window: given by the starting script, or, in a packaged app, next to extensions/ (macOS: in
 * the bundle's MacOS folder).
 */
export function nativeShell(): NativeShell {
  const app = join(here, "../..");
  const path = `--path=${app}`;
  const given = process.env["WEIR_NATIVE"];
  if (given !== undefined) return { program: given, words: ["--load-dir-res", path] };
  const packaged: Partial<Record<NodeJS.Platform, string>> = { win32: "weir.exe", darwin: "../MacOS/weir-window" };
  return { program: join(app, packaged[process.platform] ?? "weir-window"), words: [path] };
}
