import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExperimentState } from "../../../../src/engine/messages/experiment-messages.ts";
import { type Endpoint, endpointOf } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import type { ExperimentWish } from "../../../../src/ui/views/experiment-wish.ts";
import { experimentBarOf, experimentDialog } from "../../../../src/ui/views/shell/experiment.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";

function state(change: Partial<ExperimentState> = {}): ExperimentState {
  return {
    number: 1,
    target: { method: "GET", origin: "https://api.test", path: "/v1/prices", operation: null },
    client: null,
    levels: [0, 100, 300],
    unit: "load",
    planned: 30,
    counted: 0,
    leftOut: 0,
    result: null,
    ...change,
  };
}

const VERDICT = { kind: "unknown", estimate: null, units: 0, needed: 30, shifts: [] } as const;
const LEFT_OUT = { failed: 0, reloaded: 0, "other-traffic": 0, unfinished: 0 };

describe("experiment bar", (test) => {
  test("given an experiment that runs, says what is held back and how many loads count, and no figure", () =>
    fc.assert(
      fc.property(fc.nat(30), fc.nat(9), (counted, leftOut) => {
        const bar = experimentBarOf(state({ counted, leftOut }));
        assert.ok(bar?.isRunning);
        assert.ok(bar?.text.startsWith("Responses of GET api.test/v1/prices are held back on purpose: "));
        assert.ok(bar?.text.includes(`${counted} of 30 ${counted === 0 ? "loads or walks" : "loads"}`));
        assert.is(bar?.text.includes(`, ${leftOut} left out`), leftOut > 0);
      }),
    ));

  test("given its result, says the verdict, and why it ended if that was not the verdict", () => {
    const result = {
      end: "stopped",
      verdict: { ...VERDICT, leftOut: LEFT_OUT },
      text: "Can't tell: 3 loads.",
    } as const;
    const bar = experimentBarOf(state({ result }));
    assert.equal(
      [bar?.isRunning, bar?.text],
      [false, "Experiment on GET api.test/v1/prices: Stopped. Can't tell: 3 loads."],
    );
    const kinds = [null, result, { ...result, end: "enough" } as const].map(
      (one) => experimentBarOf(state({ result: one }))?.kind,
    );
    assert.equal(kinds, ["is-warning", "", "is-ok"], "a result is no warning");
    assert.is(experimentBarOf(null), null);
  });
});

describe("experiment dialog", (test) => {
  test("given an exchange, proposes its client, though it is not among the latest; else all clients", async () => {
    const { channel, sent, receive, enter } = fakeChannel();
    const windows = new SubscriptionStore(channel, (run) => run);
    let ask: (wish: ExperimentWish) => void = () => {};
    const shown: string[] = [];
    const dialog = Object.assign(
      experimentDialog({ windows, commands: new Commands(channel) }, (listener) => {
        ask = listener;
      }),
      { $root: { closest: () => ({ showModal: () => void shown.push("shown") }) } },
    );
    enter({ kind: "open" });
    dialog.init.call(dialog as never);
    const endpoint: Endpoint = endpointOf("GET", "https://api.test", "/v1/prices");
    const answer = async (exchange: ExchangeId | null, client: string) => {
      const before = sent.length;
      ask({ endpoint, exchange });
      await null;
      for (const message of sent.slice(before)) {
        if (message.type !== "subscribe" || message.query.view !== "exchange") continue;
        const value = { exchange: { client } } as never;
        receive({ type: "value", subscription: message.subscription, revision: 1, value });
      }
      await null;
      return [dialog.client, dialog.clients, dialog.subject?.path];
    };
    assert.equal(await answer(5 as ExchangeId, "127.0.0.1 shop/1"), [
      "127.0.0.1 shop/1",
      [{ client: "127.0.0.1 shop/1", name: "shop/1 at 127.0.0.1" }],
      "/v1/prices",
    ]);
    assert.equal(await answer(null, "127.0.0.1 shop/2"), ["", [], "/v1/prices"]);
    assert.is(shown.length, 2);
  });
});
