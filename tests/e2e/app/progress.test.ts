import * as assert from "uvu/assert";
import { Progress } from "../../../scripts/progress.ts";
import { describe } from "../../support/describe.ts";

/** What a screen got while work of this many ms told its progress every 10 ms, and ended. */
function shownBy(length: number, isTTY: boolean, columns = 80): readonly string[] {
  const texts: string[] = [];
  let now = 0;
  const progress = new Progress({ isTTY, columns, write: (text) => texts.push(String(text)) > 0 }, () => now);
  for (; now < length; now += 10) progress.show("Reading a\u001b[31m.har", now / length);
  progress.end();
  return texts;
}

describe("progress of a command", (test) => {
  test("given work of 3 s at a terminal, shows a share from 1 s on, four times a second, and erases it", () => {
    const texts = shownBy(3_000, true);
    assert.is(texts.length, 9);
    const shares = texts.slice(0, -1).map((text) => Number(/, (\d+) %$/.exec(text)?.[1]));
    assert.equal(shares, [33, 41, 50, 58, 66, 75, 83, 91]);
    assert.is(texts.at(-1), "\r\u001b[K");
  });

  test("given short work, or no terminal, shows nothing", () => {
    assert.equal([shownBy(900, true), shownBy(5_000, false)], [[], []]);
  });

  test("given a name with control characters, or a narrow terminal, escapes them and stays in one line", () => {
    for (const text of shownBy(3_000, true, 30).slice(0, -1)) {
      assert.ok(text.startsWith("\r\u001b[K"));
      const line = text.slice("\r\u001b[K".length);
      assert.not.match(line, /\p{Cc}/u);
      assert.ok(line.length < 30, line);
    }
  });
});
