import type { Plugin } from "esbuild";

/** In front of the names in the made text, so that none of them is a word of the language. */
const PREFIX = "$";

/**
 * Node's own modules in a bundle: asked for by name, and of each only what is used is read. An import statement has Node read
 * every export, and some are more than they look: `http.WebSocket` loads a whole HTTP client, `fs.promises` a command line
 * (docs/measurements.md: 10 MB and a good part of the start).
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

/** Each export in a pure call, which the bundler leaves out where nobody uses it. */
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
