/**
 * Returns what gives freed memory back to the system, wherever it lies: mallopt(3)'s M_TRIM_THRESHOLD does so only for
 * the end of the heap, where one object in use keeps all below it. `null` without GNU's C library (malloc_trim(3)) or
 * without Node's `node:ffi`.
 */
export function freedMemoryReturner(): (() => void) | null {
  if (process.platform !== "linux") return null;
  try {
    const ffi = process.getBuiltinModule("node:ffi");
    const { functions } = ffi.dlopen(null, { malloc_trim: { arguments: ["u64"], return: "i32" } });
    return () => void functions.malloc_trim(0n);
  } catch {
    return null;
  }
}
