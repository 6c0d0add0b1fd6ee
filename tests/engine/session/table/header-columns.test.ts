import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { fieldsOf } from "../../../../src/engine/model/head.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import type { HeadsOf } from "../../../../src/engine/session/table/header-columns.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

/** What is stored of the events that have happened. */
class Heads {
  readonly #heads = new Map<ExchangeId, { request: string; response: string | null }>();

  add(event: CaptureEvent): void {
    if (event.type === "request-started") this.#heads.set(event.id, { request: event.head, response: null });
    const known = event.type === "response-started" ? this.#heads.get(event.id) : undefined;
    if (event.type === "response-started" && known !== undefined) known.response = event.head;
  }

  readonly of: HeadsOf = (id) => this.#heads.get(id) ?? null;
}

/** The header as one list, by its lines. */
function expected(head: string | null | undefined, name: string): string | null {
  const values = fieldsOf(head ?? "").flatMap((field) => (field.name.toLowerCase() === name ? [field.value] : []));
  return values.length === 0 ? null : values.join(", ");
}

const NAMES = [
  ["request", "user-agent"],
  ["response", "content-type"],
  ["response", "x-absent"],
] as const;

describe("header columns", (test) => {
  test("given a column made and read at any moment, hold the header of every row", () => {
    const moments = fc.array(fc.nat({ max: 180 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        anyExchanges(),
        moments,
        fc.integer({ min: 1, max: 9 }),
        (exchanges, [made = 0, read = 0, end = 0], most) => {
          const session = new Session(40);
          const heads = new Heads();
          const { headers } = session.table;
          const columns = new Map<string, ReturnType<typeof headers.of>>();
          const events = exchanges.flatMap(eventsOf);
          for (let index = 0; index <= events.length; index += 1) {
            if (index === made)
              for (const [side, name] of NAMES) columns.set(`${side} ${name}`, headers.of(side, name));
            if (index === made + read) for (const column of columns.values()) column.read(heads.of, most);
            const event = events[index];
            if (event === undefined || index > made + read + end) break;
            session.apply([event]);
            heads.add(event);
          }
          for (const column of columns.values()) while (!column.isComplete) column.read(heads.of, most);
          for (const [side, name] of columns.size === 0 ? [] : NAMES)
            for (let row = session.table.firstRow; row < session.table.nextRow; row += 1) {
              const head = heads.of(session.table.ids.at(row) as ExchangeId)?.[side];
              assert.is(columns.get(`${side} ${name}`)?.values.at(row), expected(head, name));
            }
        },
      ),
    );
  });

  test("given a header value in UTF-8 or other bytes, decodes it as the inspector does", () => {
    const session = new Session();
    const column = session.table.headers.of("request", "x-name");
    const [started] = eventsOf(exchange({ end: null }));
    assert.ok(started?.type === "request-started");
    session.apply([{ ...started, head: "GET / HTTP/1.1\r\nX-Name: caf\xc3\xa9\r\nx-name: \xe9\r\n\r\n" }]);
    assert.is(column.values.at(0), "caf\xc3\xa9, \xe9");
  });

  test("given the same header again, returns the same column", () => {
    const { headers } = new Session().table;
    const column = headers.of("request", "accept");
    for (let other = 0; other < 20; other += 1) headers.of("response", `x-${other}`);
    assert.is(headers.of("request", "accept"), column);
    assert.is.not(headers.of("response", "accept"), column);
  });
});
