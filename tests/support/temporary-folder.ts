import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the body a new folder and removes it afterwards, whatever happened. */
export async function withFolder(body: (folder: string) => unknown): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "weir-test-"));
  try {
    await body(folder);
  } finally {
    // A process that is just ending may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
