import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls `body` with a new folder and removes the folder afterwards, even after an error. */
export async function withFolder(body: (folder: string) => unknown): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "weir-test-"));
  try {
    await body(folder);
  } finally {
    // A process that is ending may still write to the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
