/** Node's own HTTP/2, read when it is first needed: it brings a command line along, which an idle Weir can do without. */
export function nodeHttp2(): typeof import("node:http2") {
  return process.getBuiltinModule("node:http2");
}
