import { readdir, readlink } from "node:fs/promises";

/** What of a folder this process holds open, itself included, as Linux tells it; none elsewhere. */
export async function openFilesIn(folder: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const held = await Promise.all(
    (await readdir("/proc/self/fd")).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
  );
  return held.filter((path) => path === folder || path.startsWith(`${folder}/`));
}
