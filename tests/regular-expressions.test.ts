import * as assert from "uvu/assert";
import { describe } from "./support/describe.ts";
import { automatonOf } from "./support/patterns/automaton.ts";
import { growthOf, loopsOf } from "./support/patterns/growth.ts";
import { capturedTextPatterns, literalsIn } from "./support/patterns/literals.ts";
import { processorTimeOf } from "./support/processor-time.ts";
import { rounds, someOf } from "./support/rounds.ts";

/*
 * Captured text is hostile: with a pattern whose time grows faster than its text, one header line could stop all
 * traffic. conventions.test.ts forbids such patterns; these tests check the analysis it relies on.
 */

/** The longest allowed head. */
const LONGEST = 128 * 1024;
/** In ms: a quadratic pattern takes tens of seconds for such a text, a linear one a few milliseconds. */
const LIMIT = 500;
/** How often a measurement above the limit is repeated: a busy machine can slow one down, but not all. */
const READINGS = 5;

const PATTERNS = capturedTextPatterns();

describe("regular expressions over captured text", (test) => {
  test("given its longest hostile text, each expression takes less than the limit", () => {
    let tried = 0;
    for (const { place, source, flags } of someOf(PATTERNS)) {
      const pattern = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
      for (const { before, again } of loopsOf(automatonOf(source, flags))) {
        const text = before + again.repeat(Math.ceil(LONGEST / again.length));
        for (const hostile of [text, `${text}\0`, text + before]) {
          const took = leastTimeOf(() => {
            hostile.replaceAll(pattern, "");
            hostile.split(pattern);
          });
          assert.ok(
            took < LIMIT,
            `${place}: /${source}/ took ${took} ms for ${JSON.stringify(before + again)} repeated`,
          );
          tried += 1;
        }
      }
    }
    assert.ok(tried > rounds(150), `only ${tried} texts`);
  });

  test("given a source text, finds every regular expression in it", () => {
    const template = ["`$", "{/in/.source} /no/`"].join("");
    const text = `const a = b / c / d; // /no/\nx(/a[/]b\\//gi, ${template}, "/no/", 1 / 2); return /last/;`;
    assert.equal(
      literalsIn("a.ts", text).map(({ source, flags }) => source + flags),
      ["a[/]b\\/gi", "in", "last"],
    );
    assert.ok(PATTERNS.length > 150);
  });

  for (const [pattern, isDear] of [
    [/[ \t]*,[ \t]*/, true],
    [/\s+$/, true],
    [/^\s*(.*?)\s*$/, true],
    [/^(a+)+$/, true],
    [/^(?:a|a)*$/, true],
    [/^(?:a*)*b/, true],
    [/^\w+\d+$/, true],
    [/^(?:\d{1,3})+x/, true],
    [/(?=a*b)/, true],
    [/"(?:[^"\\]|\\.)*"/, true],
    [/a(?:[^c]*c)?/, true],
    [/^(?:a.*)+b/m, true],
    [/a+/, false],
    [/^\s+|,/, false],
    [/^[a-z]+=\d+$/, false],
    [/^(?:\d{3})+$/, false],
    [/<[^<>]+>/, false],
    [/(?<=<)[^<>]+(?=>)/, false],
    [/^name:[ \t]*x.*$/im, false],
    [/"(?:[^"\\]|\\.)*"?/, false],
    [/,\s*x/, false],
    [/^(?:[^\s"]|"[^"]*"?)+/, false],
  ] as const) {
    test(`given ${pattern}, its time grows ${isDear ? "faster than" : "with"} its text`, () =>
      assert.is(growthOf(automatonOf(pattern.source, pattern.flags)) !== null, isDear));
  }
});

/** CPU time of `work` in ms: the first measurement below the limit, else the smallest of several. */
function leastTimeOf(work: () => void): number {
  let took = processorTimeOf(work);
  for (let reading = 1; took >= LIMIT && reading < READINGS; reading += 1) took = Math.min(took, processorTimeOf(work));
  return took;
}
