import { type Starter, startEngine } from "./engine.ts";
import { offerNewStart } from "./new-start.ts";
import { givenWords } from "./process/arguments.ts";

/** Prints lines of JSON on stdout for the program that started this process. */
const LINES: Partial<Starter> = {
  ready: printLine,
  taken: () => printLine({ taken: true }),
  shown,
};

/** Which run this is of the loop in neutralino.config.json: `first`, `again` (the user's wish), `restarted` or `failed`. */
const run = process.env["WEIR_RUN"] ?? "first";
const words = givenWords(process.argv.slice(2), process.env["WEIR_ARGUMENTS"]);
if (run === "failed") await offerNewStart(words);
else {
  const isRead = words.ok && words.value.includes("--json");
  // The program that started the window has already been told that Weir is ready.
  const lines = run === "first" ? LINES : { shown };
  await startEngine(words, {
    ...(isRead ? lines : {}),
    continues: run !== "first",
    echo: 0,
    show: () => process.send?.("show"),
  });
}

function shown(): void {
  printLine({ shown: true });
}

function printLine(facts: object): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}
