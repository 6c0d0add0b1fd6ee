import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Passes a new folder to the body and removes it afterwards, even after an error. */
export async function withFolder(body: (folder: string) => unknown): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "weir-test-"));
  try {
    await body(folder);
  } finally {
    // An ending process may still write to it.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
