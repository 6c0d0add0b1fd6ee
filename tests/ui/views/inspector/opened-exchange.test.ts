import * as assert from "uvu/assert";
import type { ExchangeDetail } from "../../../../src/engine/messages/exchange-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { followOpened } from "../../../../src/ui/views/inspector/opened-exchange.ts";
import { describe } from "../../../support/describe.ts";
import { checkout } from "./detail.ts";

const ENDED = "Weir has exited.";
const detailOf = (id: number): ExchangeDetail => checkout({}, { id: id as ExchangeId });

/** Exchange 1 is open; the test sets its loaded value and the reason why it no longer updates. */
function stage() {
  const told: (number | string)[] = [];
  const selection = new Selection();
  selection.set({ exchange: 1 as ExchangeId });
  let changed: () => void = () => {};
  const held = {
    value: undefined as ExchangeDetail | null | undefined,
    problem: null as string | null,
    close: () => {},
    update: () => {},
  };
  const windows = {
    value: (_: unknown, onChange: () => void) => {
      changed = onChange;
      return held;
    },
  };
  followOpened(
    { selection, windows } as unknown as ViewDependencies,
    (detail) => told.push(detail.exchange.id),
    (why) => told.push(why),
  );
  return {
    told,
    open: (id: number) => selection.set({ exchange: id as ExchangeId }),
    answer: (next: ExchangeDetail | null) => {
      held.value = next;
      held.problem = null;
      changed();
    },
    refuse: (problem: string) => {
      held.problem = problem;
      changed();
    },
  };
}

describe("opened exchange of the inspector", (test) => {
  test("given an opened exchange, reports its details when they arrive, and that it is no longer kept", () => {
    const { told, open, answer } = stage();
    answer(detailOf(1));
    open(2);
    assert.equal(told, [1], "until it is answered nothing is said of it");
    answer(detailOf(2));
    answer(null);
    assert.equal(told, [1, 2, "This exchange is no longer kept."]);
  });

  test("given a refusal or an exit of Weir, reports the reason instead of the previous exchange", () => {
    const { told, open, answer, refuse } = stage();
    answer(detailOf(1));
    open(2);
    refuse(ENDED);
    open(1);
    answer(detailOf(1));
    assert.equal(told, [1, ENDED, 1]);
  });
});
