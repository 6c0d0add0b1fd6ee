import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NativeShell } from "../window/hub-window.ts";

/*
 * Paths of the program's own files in the app folder. Once bundled, this code is in a file in the app folder's
 * extensions/proxy.
 */
const here = dirname(fileURLToPath(import.meta.url));

const APP = join(here, import.meta.url.endsWith(".ts") ? "../../../build" : "../..");

export function resourcesFolder(): string {
  return join(APP, "resources");
}

/**
 * The program of the native window: given by what started it, or, in a package for Windows, whose user started the
 * window itself, beside the app folder with the page in a file of its own.
 */
export function nativeShell(): NativeShell {
  const given = process.env["WEIR_NATIVE"];
  if (given !== undefined) return { program: given, words: ["--load-dir-res", `--path=${APP}`] };
  const folder = join(APP, "..");
  return { program: join(folder, "weir.exe"), words: [`--path=${folder}`] };
}
