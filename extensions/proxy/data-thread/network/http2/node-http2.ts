/** Loads `node:http2` on first use, because an idle Weir needs neither this module nor the modules that it loads. */
export function nodeHttp2(): typeof import("node:http2") {
  return process.getBuiltinModule("node:http2");
}
