import type { Plugin } from "esbuild";

/** Prefix for generated names, so that none equals a reserved word. */
const PREFIX = "$";

/**
 * Bundles imports of Node's own modules so that only the used exports are read. An import statement reads all exports,
 * and some are expensive: `http.WebSocket` loads a whole HTTP client, and `fs.promises` loads the module that reads
 * lines.
 */
export const nodeModules: Plugin = {
  name: "node-modules",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "node", sideEffects: false } : null,
    );
    build.onLoad({ filter: /./, namespace: "node" }, ({ path }) => ({ contents: moduleText(path) }));
  },
};

/** Each export is a pure call, which the bundler drops if unused. */
function moduleText(path: string): string {
  const exports = Object.keys(process.getBuiltinModule(path) ?? {}).filter(
    (name) => /^[\w$]+$/.test(name) && name !== "default",
  );
  return [
    `const all = process.getBuiltinModule(${JSON.stringify(path)});`,
    "export default all;",
    ...exports.map((name) => `const ${PREFIX}${name} = /* @__PURE__ */ (() => all.${name})();`),
    `export { ${exports.map((name) => `${PREFIX}${name} as ${name}`).join(", ")} };`,
  ].join("\n");
}
