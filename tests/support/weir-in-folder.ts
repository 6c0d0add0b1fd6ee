import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const WEIR = fileURLToPath(new URL("../../scripts/weir.mjs", import.meta.url));

/** Runs `weir` in a folder: its exit code, then its standard output and standard error. */
export async function weir(folder: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [WEIR, ...words], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const said = { text: "", complaint: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.text += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.complaint += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...said };
}
