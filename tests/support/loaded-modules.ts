// Loaded by `node --import` before the program, in each of its threads: once the file is there whose path stands in the
// environment, each thread writes beside it which of Node's own modules it has loaded. It imports none itself.
const order = process.env["WEIR_TEST_LOADED"];

/** Milliseconds between checks for the file. */
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
