import { type Starter, startEngine } from "./engine.ts";
import { givenWords } from "./process/arguments.ts";

/** Prints lines of JSON on stdout for the program that started this process. */
const LINES: Partial<Starter> = {
  ready: printLine,
  taken: () => printLine({ taken: true }),
  shown: () => printLine({ shown: true }),
};

const words = givenWords(process.argv.slice(2), process.env["WEIR_ARGUMENTS"]);
const isRead = words.ok && words.value.includes("--json");
await startEngine(words, { ...(isRead ? LINES : {}), echo: 0, show: () => process.send?.("show") });

function printLine(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}
