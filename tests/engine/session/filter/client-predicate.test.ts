import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, EVERYTHING, filter, judgeOf } from "../../../support/list-questions.ts";

describe("filter term client:", (test) => {
  test("given a client filter, matches program, address and User-Agent", () => {
    const program = fc.constantFrom(null, "curl", "node", "Firefox");
    const client = fc.constantFrom("127.0.0.1 curl/8.5", "127.0.0.1 node", "::1");
    const word = fc.constantFrom("CURL", "node", "fire", "127.", "::1", "nothing");
    fc.assert(
      fc.property(fc.array(fc.record({ program, client }), { maxLength: 40 }), word, (sketches, text) => {
        const session = new Session();
        const exchanges = sketches.map((sketch, index) => exchange({ id: index + 1, ...sketch }));
        for (const one of exchanges) session.add(one);
        const list = new TrafficList(session, filter(`client:${text}`));
        const isMeant = (words: string | null) => words?.toLowerCase().includes(text.toLowerCase()) ?? false;
        assert.equal(
          list.read(BY_ID, EVERYTHING, judgeOf(session)).records.map(({ id }) => id),
          exchanges.filter((one) => isMeant(one.program) || isMeant(one.client)).map(({ id }) => id),
        );
      }),
    );
  });

  test("given one row or several, matches the same rows", () => {
    const session = new Session();
    session.add(exchange({ id: 1, program: "curl", client: "127.0.0.1" }));
    const list = new TrafficList(session, filter("client:curl"));
    assert.is(list.rows(judgeOf(session)).length, 1);
    session.add(exchange({ id: 2, program: "curl", client: "127.0.0.1" }));
    session.add(exchange({ id: 3, client: "127.0.0.1" }));
    assert.equal([...list.rows(judgeOf(session))], [0, 1]);
  });
});
