import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ticketIn } from "../../../src/ui/channel/host.ts";
import { describe } from "../../support/describe.ts";

describe("URL fragment of the page", (test) => {
  test("given a ticket, with or without a state after it, splits the fragment into both", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w-]{1,60}$/),
        fc.constantFrom("", "/traffic?f=a#b", "/timeline"),
        (ticket, rest) => {
          assert.equal(ticketIn(`#ticket=${ticket}${rest}`), { ticket, rest: rest === "" ? "" : `#${rest}` });
        },
      ),
    );
  });

  test("given a fragment without a ticket, leaves it unchanged", () => {
    for (const fragment of ["", "#", "#/traffic?f=ticket=x", "#target=curl", "#ticket=a b"])
      assert.equal(ticketIn(fragment), { ticket: null, rest: fragment });
  });
});
