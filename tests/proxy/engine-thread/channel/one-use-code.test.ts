import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { OneUseCodes, oneUseCode } from "../../../../extensions/proxy/engine-thread/channel/one-use-code.ts";
import { describe } from "../../../support/describe.ts";

const NOW = 1_800_000_000_000;

describe("one-use codes", (test) => {
  test("given a code, it is good once within 60 s, for its own ticket", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(120_000), (ticket, later) => {
        const code = oneUseCode(ticket, NOW);
        assert.match(code, /^[\w-]+$/, "fits into the address's fragment");
        assert.is(new OneUseCodes(`${ticket}x`).use(code, NOW), false);
        const codes = new OneUseCodes(ticket);
        assert.is(codes.use(code, NOW + later), later <= 60_000);
        assert.is(codes.use(code, NOW + later), false);
        assert.is(codes.use(oneUseCode(ticket, NOW + later), NOW + later), true, "another code of the ticket");
      }),
    );
  });

  test("given a code with another end, or any other text, it is refused", () => {
    const codes = new OneUseCodes("t");
    const code = oneUseCode("t", NOW);
    const longer = code.replace(String(NOW + 60_000), String(NOW + 90_000));
    assert.is.not(longer, code);
    for (const text of [longer, `${code}A`, "", "open", "t"]) assert.is(codes.use(text, NOW + 70_000), false, text);
    fc.assert(fc.property(fc.string(), (text) => assert.is(codes.use(text, NOW), false)));
  });
});
