import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PassThroughAdvice } from "../../../../extensions/proxy/engine-thread/commands/current-analysis.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import type { Deleted } from "../../../../src/engine/messages/deletion-messages.ts";
import type { ErrorType } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { withEngine } from "../../../support/engine-stage.ts";
import { exchange } from "../../../support/exchange.ts";

describe("analysis of the current session", (test) => {
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
          assert.equal(advised(), told(first));
          const deleted = await client.execute({ type: "delete-exchange", exchange: 1 as ExchangeId });
          await engine.tick();
          assert.equal(advised(), told(first), "a deletion leaves it true");
          await client.execute({ type: "undo-deletion", deletion: (deleted as Deleted).deletion });
          await engine.tick();
          reject(1);
          assert.equal(advised(), told(first + 1));
          const { insights } = client.context();
          await client.execute({ type: change });
          await engine.tick();
          assert.equal(advised(), []);
          assert.is.not(client.context().insights, insights);
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

/** The rejection of the connection with this id. */
function rejection(id: number, errorType: ErrorType = "client-rejected-certificate"): readonly CaptureEvent[] {
  return eventsOf(exchange({ id, start: 0, end: 1, outcome: { kind: "failed", errorType, detail: "", status: null } }));
}

/** The advice after these rejections, each given as origin, client and program. */
function advised(...rejected: readonly (readonly [origin: string, client?: string, program?: string])[]) {
  const advice = new PassThroughAdvice();
  const find = (id: number) => {
    const [origin = "", client = "127.0.0.1", program = null] = rejected[id - 1] ?? [];
    return { origin, client, program };
  };
  for (const index of rejected.keys()) assert.ok(advice.addEvents(rejection(index + 1), find));
  const texts = (patterns: readonly string[] = []) => advice.notices(patterns, find).map(({ text }) => text);
  return { advice, find, texts };
}

const A = ["https://a.test"] as const;

describe("pass-through advice", (test) => {
  test("given three rejections for one host, advises to pass it through and counts further ones", () => {
    assert.equal(advised(A, ["https://b.test:8443"], A).texts(), []);
    const third = advised(A, ["https://b.test:8443"], A, A);
    assert.equal(third.texts(), ["A client rejected Weir’s certificate for a.test 3 times."]);
    const fifth = advised(A, A, A, A, ["https://a.test:444"], ["https://[::1]:1"]);
    assert.equal(fifth.texts(), ["A client rejected Weir’s certificate for a.test 5 times."]);
    assert.equal(fifth.advice.notices([], fifth.find)[0]?.advice, { host: "a.test", target: null });
  });

  test("given the clients that rejected, names their program and its target in Setup", () => {
    const told = (...clients: readonly (readonly [client: string, program?: string])[]) => {
      const { advice, find } = advised(...clients.map((client) => ["https://a.test", ...client] as const));
      return advice.notices([], find).map(({ text, advice }) => [text.split(" rejected ")[0], advice?.target])[0];
    };
    const curl = ["127.0.0.1 curl/8.5.0"] as const;
    const browser = ["127.0.0.1 Mozilla/5.0 (X11)"] as const;
    assert.equal(told(curl, curl, curl), ["curl", "curl"]);
    assert.equal(told(["127.0.0.1", "node"], ["127.0.0.1", "node"], ["127.0.0.1", "node"]), ["node", "nodejs"]);
    assert.equal(told(["127.0.0.1 x", "python3.13"], ["127.0.0.1", "python3.13"], ["127.0.0.1", "python3.13"]), [
      "python3.13",
      "python",
    ]);
    assert.equal(told(browser, browser, browser), ["A client", null]);
    assert.equal(told(curl, browser, browser), ["curl and others", null]);
    assert.equal(told(browser, curl, ["127.0.0.1", "node"]), ["curl and others", null]);
  });

  test("given other TLS failures, or rejections for the probe host, gives no advice", () => {
    const advice = new PassThroughAdvice();
    const find = () => ({ origin: "https://a.test", client: "", program: null });
    for (let id = 1; id <= 5; id += 1) assert.not.ok(advice.addEvents(rejection(id, "client-tls-failed"), find));
    const probe = () => ({ ...find(), origin: "https://probe.weir.test" });
    for (let id = 1; id <= 5; id += 1) assert.not.ok(advice.addEvents(rejection(id), probe));
    assert.equal(advice.notices([], find), []);
  });

  test("given advice, withdraws it while its host is passed through, and for good once dismissed", () => {
    const { advice, texts } = advised(A, A, A);
    assert.equal(texts(["b.test"]).length, 1);
    assert.equal(texts(["*.test"]), []);
    assert.equal(texts([]).length, 1);
    advice.dismiss("b.test");
    assert.equal(texts([]).length, 1);
    advice.dismiss("a.test");
    assert.equal(texts([]), []);
  });
});
