#!/usr/bin/env node
import "./needs-node.mjs";

const { weir } = await import("./weir.ts");
await weir(process.argv.slice(2));
