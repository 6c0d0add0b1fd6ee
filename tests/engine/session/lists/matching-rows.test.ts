import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { endpointsAt, exchangesAt } from "../../../../src/engine/session/lists/matching-rows.ts";
import { anyExchanges } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { recorded } from "../../../support/recorded.ts";

describe("rows that match", (test) => {
  test("tell of every exchange and every endpoint whether one is at them, also where older rows were evicted", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.integer({ min: 1, max: 80 }), fc.nat(), (exchanges, rowCap, bits) => {
        const { table } = recorded(exchanges, rowCap);
        const all = Array.from({ length: table.nextRow - table.firstRow }, (_, place) => table.firstRow + place);
        const rows = Uint32Array.from(all.filter((row) => (bits >> (row % 30)) & 1));
        const [holdsExchange, holdsEndpoint] = [exchangesAt(table, rows), endpointsAt(table, rows)];
        const isAt = ({ id }: { readonly id: number }) => [...rows].some((row) => table.ids.at(row) === id);
        for (const one of exchanges) {
          assert.is(holdsExchange(one.id), isAt(one));
          const { endpoint } = one;
          assert.is(
            holdsEndpoint(endpoint),
            exchanges.some((other) => other.endpoint === endpoint && isAt(other)),
          );
        }
      }),
    );
  });
});
