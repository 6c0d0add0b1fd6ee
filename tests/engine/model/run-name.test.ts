import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { runIn, runNameOf } from "../../../src/engine/model/run-name.ts";
import { describe } from "../../support/describe.ts";

describe("the name of a run", (test) => {
  test("given the name as the address of a client, finds it again", () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.string(), (run, isCached, agent) => {
        const name = runNameOf(run, isCached);
        assert.is(runIn(name), name);
        assert.is(runIn(`${name} ${agent}`), name);
      }),
    );
  });

  test("given a client of no run, finds none", () => {
    for (const client of ["", "unknown", "192.0.2.1 run-1", "run-", "run-1x Agent/1", "runner Agent/1"])
      assert.is(runIn(client), null, client);
  });
});
