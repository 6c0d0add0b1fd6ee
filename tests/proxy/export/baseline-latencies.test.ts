import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { baselineLatenciesOf } from "../../../extensions/proxy/export/baseline-latencies.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { groupedBy } from "../../../src/engine/insights/grouped.ts";
import { endpointAt } from "../../../src/engine/model/endpoint.ts";
import { OperationReader } from "../../../src/engine/report/operation-reader.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("baseline latencies", (test) => {
  test("given requests with and without operations, each operation has a baseline of its own", () => {
    const drawn = fc.array(
      fc.record({ operation: fc.constantFrom(null, "Cart", "User"), latency: fc.integer({ min: 1, max: 900 }) }),
      { minLength: 1, maxLength: 30 },
    );
    return fc.assert(
      fc.asyncProperty(drawn, (requests) =>
        withFolder(async (folder) => {
          const store = SessionStore.open(folder, 1024 ** 3);
          const id = store.startSession(instant(0));
          const events = requests.flatMap(({ operation, latency }, index) => {
            const query = operation === null ? "" : `?query=${encodeURIComponent(`query ${operation} { id }`)}`;
            const start = index * 1_000;
            return eventsOf(exchange({ id: index + 1, target: `/graphql${query}`, start, end: start + latency }));
          });
          store.append(new OperationReader().read(events));
          store.endSession(instant(900_000), null);
          const baseline = await baselineLatenciesOf((earlier) => store.openEnded(earlier), [id]);
          const expected = groupedBy(requests, ({ operation }) =>
            endpointAt("GET", "https://api.test", "/graphql", operation),
          );
          assert.equal([...baseline.keys()].toSorted(), [...expected.keys()].toSorted());
          for (const [key, own] of expected)
            assert.equal(
              baseline.get(key)?.sessions.map(({ latencies }) => latencies),
              [own.map(({ latency }) => latency)],
            );
        }),
      ),
      { numRuns: rounds(10) },
    );
  });
});
