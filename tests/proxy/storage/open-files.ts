import { readdir, readlink } from "node:fs/promises";

/** The files of a folder that this process holds open, as Linux tells it; none elsewhere. */
export async function openFilesIn(folder: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const held = await Promise.all(
    (await readdir("/proc/self/fd")).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
  );
  return held.filter((path) => path.startsWith(`${folder}/`));
}
