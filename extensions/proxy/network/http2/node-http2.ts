/** Loads `node:http2` on first use, because it loads further modules, which an idle Weir does not need. */
export function nodeHttp2(): typeof import("node:http2") {
  return process.getBuiltinModule("node:http2");
}
