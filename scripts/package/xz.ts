import { spawnSync } from "node:child_process";

/** The most bytes of a compressed package. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The bytes as an xz file (xz(1)). One thread, because each further one makes the file larger. */
export function xz(bytes: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync("xz", ["-9", "--threads=1", "--stdout"], {
    input: bytes,
    maxBuffer: MOST_BYTES,
  });
  if (status !== 0) throw new Error(`xz failed: ${error?.message ?? String(stderr)}`);
  return stdout;
}
