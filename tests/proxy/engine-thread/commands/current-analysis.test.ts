import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { withEngine } from "../../../support/engine-stage.ts";
import { exchange } from "../../../support/exchange.ts";

describe("the analysis of the current session", (test) => {
  test("given a new session or Clear, rejections are counted again and the findings are of the new session", async () => {
    const drawn = fc.record({
      change: fc.constantFrom("clear", "new-session"),
      counts: fc.tuple(fc.integer({ min: 3, max: 6 }), fc.integer({ min: 1, max: 5 })),
    });
    await fc.assert(
      fc.asyncProperty(drawn, ({ change, counts: [first, second] }) =>
        withEngine(async ({ client, engine, clock }) => {
          const host = "rejected.test";
          let id = 0;
          const reject = (count: number) => {
            const outcome = {
              kind: "failed",
              errorType: "client-rejected-certificate",
              detail: "",
              status: null,
            } as const;
            for (let left = count; left > 0; left -= 1) {
              id += 1;
              const start = clock.now() + id;
              engine.addEvents(eventsOf(exchange({ id, origin: `https://${host}`, start, end: start, outcome })), id);
            }
          };
          const advised = () =>
            engine.state.notices.all.filter(({ advice }) => advice !== null).map(({ text }) => text);
          const told = (count: number) =>
            count < 3 ? [] : [`test rejected Weir’s certificate for ${host} ${count} times.`];
          reject(first);
          const { findings } = client.context();
          assert.equal(advised(), told(first));
          await client.execute({ type: change });
          await engine.tick();
          assert.equal(advised(), []);
          assert.is.not(client.context().findings, findings);
          reject(second);
          assert.equal(advised(), told(second));
          await client.execute({ type: "dismiss-advice", host });
          assert.equal(advised(), []);
        }),
      ),
      { numRuns: 3 },
    );
  });
});
