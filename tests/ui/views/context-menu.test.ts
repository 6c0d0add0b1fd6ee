import * as assert from "uvu/assert";
import type { ExchangeDetail } from "../../../src/engine/messages/exchange-messages.ts";
import { type Endpoint, endpointOf } from "../../../src/engine/model/endpoint.ts";
import { UndoStack } from "../../../src/ui/state/undo.ts";
import {
  endpointSubject,
  exchangeSubject,
  openEndpointMenu,
  positionBelow,
} from "../../../src/ui/views/context-menu.ts";
import type { MenuIntent } from "../../../src/ui/views/dependencies.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const ENDPOINT = "GET https://a.test:81/x" as Endpoint;

/** A right click on the row with this id. */
function clickOn(row: string | null): MouseEvent {
  const element = row === null ? null : { id: row };
  const target = { closest: (selector: string) => (selector === ".list-row" ? element : null) };
  return { target, clientX: 40, clientY: 50, preventDefault: () => {} } as unknown as MouseEvent;
}

describe("target of a context menu", (test) => {
  test("given an exchange, it names its URL, endpoint, host and mark, and marks it alone", async () => {
    const sent: unknown[] = [];
    const send = async (command: unknown) => {
      sent.push(command);
      return { ok: true, value: { change: 1, count: 1 } };
    };
    const deps = {
      commands: { send },
      undo: new UndoStack(),
      copy: async () => {},
      announce: () => {},
    } as unknown as Parameters<typeof exchangeSubject>[0];
    const one = exchange({ id: 7, origin: "https://a.test:81", target: "/x?y=1" });
    const subject = exchangeSubject(deps, {
      exchange: one,
      annotation: { mark: "flag", comment: "" },
    } as unknown as ExchangeDetail);
    assert.equal(
      [subject.exchange, subject.address, subject.endpoint, subject.host, subject.mark, subject.picked],
      [7, "https://a.test:81/x?y=1", endpointOf(one.method, one.origin, "/x"), "a.test:81", "flag", null],
    );
    subject.setMark?.(null);
    assert.equal(sent, [{ type: "mark-exchange", exchange: 7, mark: null }]);
  });

  test("given an endpoint, it has a host, and no exchange to mark", () => {
    const { exchange: of, endpoint, host, setMark } = endpointSubject(ENDPOINT);
    assert.equal([of, endpoint, host, setMark], [null, ENDPOINT, "a.test:81", null]);
  });

  test("given a right click in a list, the menu of the row under the pointer opens there; beside rows none does", () => {
    const opened: MenuIntent[] = [];
    const slots = [
      { id: "row-1", row: { key: ENDPOINT } },
      { id: "row-2", row: { key: "latency 1", endpoint: "POST http://b.test/y" } },
      { id: "row-3", row: null },
    ];
    for (const row of ["row-1", "row-2", "row-3", null])
      openEndpointMenu({ openMenu: (wish) => opened.push(wish) }, clickOn(row), slots);
    assert.equal(
      opened.map(({ endpoint, x, y, corner }) => [endpoint, x, y, corner]),
      [
        [ENDPOINT, 40, 50, "left"],
        ["POST http://b.test/y", 40, 50, "left"],
      ],
    );
  });

  test("given a button, its menu opens below it and ends at its right edge", () => {
    const button = { getBoundingClientRect: () => ({ right: 300, bottom: 20 }) } as Element;
    assert.equal(positionBelow(button), { x: 300, y: 24, corner: "right" });
  });
});
