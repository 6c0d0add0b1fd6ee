import * as fc from "fast-check";

const value = fc.constantFrom("a", '"a b"', '"x,y"', "/v1/(x)", '"3000"', '"//x"', "ä", '"OR"', "a-b", "1.5", '"a)"');
const key = fc.constantFrom(
  "host",
  "path",
  "client",
  "comment",
  "q.p",
  "req.accept",
  "resp.x-cache",
  "type",
  "op",
  "under",
);

const word = fc.oneof(
  fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 })).map(([name, values]) => `${name}:${values.join(",")}`),
  fc
    .tuple(
      fc.constantFrom("dur", "latency"),
      fc.constantFrom("<", "<=", ">", ">="),
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.constantFrom("", "ms", "s"),
    )
    .map(([name, sign, figure, unit]) => `${name}${sign}${figure.toFixed(6)}${unit}`),
  fc
    .tuple(fc.integer({ min: 0 }), fc.constantFrom("", "b", "k", "MB", "g"))
    .map(([size, unit]) => `size>${size}${unit}`),
  fc.constantFrom("status:404", "status:5xx,403", "slow:", "error:", "ws:", "mark:", "mark:star", "tag:probe"),
  fc.constantFrom(
    "connection:3",
    "finding:errors",
    "users",
    '"a OR b"',
    '"OR"',
    "localhost:3000",
    '"-x"',
    "resp.age:0",
  ),
);

/** A text of the filter language: words, excluded ones, groups and alternatives, at most `depth` groups deep. */
export function drawnFilter(depth = 3): fc.Arbitrary<string> {
  const part =
    depth === 0
      ? word
      : fc.oneof(
          { weight: 3, arbitrary: word },
          drawnFilter(depth - 1).map((inner) => `(${inner})`),
        );
  const signed = fc.tuple(fc.constantFrom("", "", "-", "not:"), part).map(([sign, text]) => sign + text);
  const all = fc
    .array(signed, { minLength: 1, maxLength: 3 })
    .chain((terms) => fc.constantFrom(" ", " AND ").map((between) => terms.join(between)));
  return fc.array(all, { minLength: 1, maxLength: 3 }).map((choices) => choices.join(" OR "));
}
