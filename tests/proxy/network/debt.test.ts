import * as assert from "uvu/assert";
import { Debt } from "../../../extensions/proxy/network/debt.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

const LIMIT = 10;

/** What is written, what of it is left, and when that is seen; and whether the peer is then said to take nothing. */
const LOOKS: readonly (readonly [title: string, looks: readonly (readonly [number, number, number, boolean])[]])[] = [
  [
    "who owes nothing is never stuck",
    [
      [5, 0, 0, false],
      [5, 0, 99, false],
    ],
  ],
  [
    "who takes nothing is stuck when the limit is over",
    [
      [9, 9, 0, false],
      [9, 9, 10, false],
      [9, 9, 11, true],
    ],
  ],
  [
    "who takes something is not, though as much is left since more was written",
    [
      [9, 9, 0, false],
      [12, 9, 11, false],
    ],
  ],
  [
    "more that is written does not tell that anything was taken",
    [
      [9, 9, 0, false],
      [12, 12, 11, true],
    ],
  ],
  [
    "who has taken all begins anew",
    [
      [9, 9, 0, false],
      [9, 0, 9, false],
      [12, 3, 12, false],
      [12, 3, 23, true],
    ],
  ],
];

describe("what a peer has yet to take", (test) => {
  for (const [title, looks] of LOOKS) {
    test(title, () => {
      const socket = { bytesWritten: 0, writableLength: 0 };
      const debt = new Debt(socket);
      for (const [bytesWritten, writableLength, at, isStuck] of looks) {
        Object.assign(socket, { bytesWritten, writableLength });
        assert.is(debt.isStuck(at as Instant, LIMIT), isStuck, `at ${at}`);
      }
    });
  }
});
