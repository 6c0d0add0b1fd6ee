/** The script with that name (without its ending) beside the script `from`: a source, or a built script. */
export function scriptUrl(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith(".ts") ? ".ts" : ".mjs"}`, from);
}
