import { type Starter, startEngine } from "./engine.ts";
import { offerNewStart } from "./new-start.ts";
import { givenWords } from "./process/arguments.ts";
import { SHOW } from "./process/exit-codes.ts";

/** Prints lines of JSON on stdout for the program that started this process. */
const LINES: Partial<Starter> = {
  // The program that started a killed engine has already been told that Weir is ready.
  ready: (facts, hasContinued) => {
    if (!hasContinued) printLine(facts);
  },
  taken: () => printLine({ taken: true }),
  shown,
  pageLost,
};

/**
 * Which run this is of the loop in neutralino.config.json, or of `scripts/supervision.ts`: `first`, `again` (the user's
 * wish), `restarted` or `failed`.
 */
const run = process.env["WEIR_RUN"] ?? "first";
const words = givenWords(process.argv.slice(2), process.env["WEIR_ARGUMENTS"]);
if (run === "failed") await offerNewStart(words);
else {
  const isRead = words.ok && words.value.includes("--json");
  const lines = run === "again" ? { shown, pageLost } : LINES;
  await startEngine(words, {
    ...(isRead ? lines : {}),
    continues: run !== "first",
    echo: 0,
    show: () => process.send?.(SHOW),
  });
}

function shown(): void {
  printLine({ shown: true });
}

function pageLost(): void {
  printLine({ pageLost: true });
}

function printLine(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}
