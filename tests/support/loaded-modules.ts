// Loaded by `node --import` before the program, in each of its threads. When the file named in the environment exists,
// each thread writes beside it which of Node's own modules the thread has loaded; this file imports none of them.
const order = process.env["WEIR_TEST_LOADED"];

/** Milliseconds between two checks for the file. */
const INTERVAL = 20;

if (order !== undefined) {
  const { existsSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const { threadId } = process.getBuiltinModule("node:worker_threads");
  const looking = setInterval(() => {
    if (!existsSync(order)) return;
    clearInterval(looking);
    const { moduleLoadList } = process as typeof process & { readonly moduleLoadList: readonly string[] };
    writeFileSync(`${order}.${threadId}`, moduleLoadList.join("\n"));
  }, INTERVAL);
  looking.unref();
}

export {};
