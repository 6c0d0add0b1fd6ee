/**
 * The URL of the script `name` (no extension) beside `from`. The script is a source if `from` is a source, else a built
 * script.
 */
export function scriptUrl(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".mjs"}`, from);
}
