import { spawnSync } from "node:child_process";

/** Tools that remove symbols, of which the first also does so for other architectures. */
const TOOLS = ["llvm-strip", "strip"];

/** Removes the symbols of an ELF program, which only a debugger reads, in place. Throws if no tool can. */
export function stripped(program: string): void {
  if (TOOLS.some((tool) => spawnSync(tool, ["--strip-all", program]).status === 0)) return;
  throw new Error(`no ${TOOLS.join(" or ")} that can strip ${program}; llvm-strip can for every architecture`);
}
