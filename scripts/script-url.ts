/** The script of that name (without its ending) beside the one at `from`: a source, or as it is built. */
export function scriptUrl(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".mjs"}`, from);
}
