// Loaded by `node --import` before the program, in each of its threads. Once the file named in the environment exists,
// each thread writes next to it which of Node's own modules it has loaded; this module imports none itself.
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
