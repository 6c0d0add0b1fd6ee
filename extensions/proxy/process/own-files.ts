import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NativeShell } from "../window/hub-window.ts";

/*
 * Paths of the program's own files in the app folder. Once bundled, this code is in a file in the app folder's
 * extensions/proxy.
 */
const here = dirname(fileURLToPath(import.meta.url));

/** The app folder. */
const APP = join(here, import.meta.url.endsWith(".ts") ? "../../../build" : "../..");

/** The folder of the built page. */
export function resourcesFolder(): string {
  return join(APP, "resources");
}

/**
 * The program of the native window: given by the starting script, or, in a packaged app, next to extensions/ (macOS: in
 * the bundle's MacOS folder).
 */
export function nativeShell(): NativeShell {
  const path = `--path=${APP}`;
  const given = process.env["WEIR_NATIVE"];
  if (given !== undefined) return { program: given, words: ["--load-dir-res", path] };
  const packaged: Partial<Record<NodeJS.Platform, string>> = { win32: "weir.exe", darwin: "../MacOS/weir-window" };
  return { program: join(APP, packaged[process.platform] ?? "weir-window"), words: [path] };
}
