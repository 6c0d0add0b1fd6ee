import * as assert from "uvu/assert";
import { newRoot } from "../../../extensions/proxy/certificates/root.ts";
import { endWarning } from "../../../extensions/proxy/certificates/root-end.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

const DAY = 86_400_000;
const END = Date.parse(newRoot("test", new Date("2026-11-20T12:00:00Z")).certificate.validTo) as Instant;

const warned = (left: number, renewable = true) => endWarning(END, renewable, (END - left) as Instant);

describe("expiry of the root certificate", (test) => {
  test("given a root with 30 days left or fewer, warns with the date and the days left", () => {
    assert.is(warned(30 * DAY + 1), null);
    assert.is(
      warned(30 * DAY),
      "Weir's root certificate expires on 2031-11-20, in 30 days. Clients then reject it. Renew it in Settings, Certificate.",
    );
    assert.match(warned(12 * DAY) ?? "", "in 12 days.");
    assert.match(warned(DAY) ?? "", "in 1 day.");
    assert.match(warned(1) ?? "", "in 1 day.");
  });

  test("given an expired root, warns that clients reject it", () => {
    for (const past of [0, -1, -400 * DAY])
      assert.match(warned(past) ?? "", /^Weir's root certificate expired on 2031-11-20, so clients reject it/);
  });

  test("given the user's own root, refers to --ca-cert instead of a renewal in Settings", () => {
    assert.match(warned(DAY, false) ?? "", /--ca-cert/);
    assert.not.match(warned(DAY, false) ?? "", "Settings");
  });
});
