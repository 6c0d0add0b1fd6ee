import { readdir, readlink } from "node:fs/promises";

/**
 * The files of a folder that this process has open, the folder included, as Linux reports them; none on other systems.
 */
export async function openFilesIn(folder: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const held = await Promise.all(
    (await readdir("/proc/self/fd")).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
  );
  return held.filter((path) => path === folder || path.startsWith(`${folder}/`));
}
