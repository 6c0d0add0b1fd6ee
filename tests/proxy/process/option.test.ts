import fc from "fast-check";
import * as assert from "uvu/assert";
import { parsed } from "../../../extensions/proxy/process/option.ts";
import { describe } from "../../support/describe.ts";

const OPTIONS = [
  { name: "flag", value: null, note: null },
  { name: "one", value: "X", note: "one value" },
  { name: "many", value: "X", note: "several values", isRepeatable: true },
] as const;

describe("the options of a command line", (test) => {
  test("given values, returns them with the types that the declaration gives them", () =>
    fc.assert(
      fc.property(fc.boolean(), fc.string(), fc.array(fc.string()), fc.array(fc.string()), (flag, one, many, rest) => {
        const words = [
          ...(flag ? ["--flag"] : []),
          `--one=${one}`,
          ...many.map((value) => `--many=${value}`),
          "--",
          ...rest,
        ];
        const { values, positionals } = parsed(words, OPTIONS, true);
        assert.equal(
          [values.flag, values.one, values.many, positionals],
          [flag || undefined, one, many.length === 0 ? undefined : many, rest],
        );
      }),
    ));

  for (const [words, code] of [
    [["--flga"], "ERR_PARSE_ARGS_UNKNOWN_OPTION"],
    [["--one"], "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"],
    [["--flag=x"], "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"],
    [["x"], "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"],
  ] as const)
    test(`given ${words[0]}, throws ${code}`, () =>
      assert.throws(
        () => parsed(words, OPTIONS, false),
        (error: NodeJS.ErrnoException) => error.code === code,
      ));
});
