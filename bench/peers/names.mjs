// Loaded before each peer: resolves the invented host names to this computer, as host overrides do for Weir.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const HERE = { address: "127.0.0.1", family: 4 };
const systemLookup = dns.lookup;

dns.lookup = (name, options, done) => {
  if (!name.endsWith(".bench.test")) return systemLookup(name, options, done);
  const callback = done ?? options;
  if (options.all === true) return setImmediate(callback, null, [HERE]);
  setImmediate(callback, null, HERE.address, HERE.family);
};
syncBuiltinESMExports();
