import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { FindingRecord, RankedFindings } from "../../../../../src/engine/messages/finding-messages.ts";
import { FINDING_KINDS } from "../../../../../src/engine/model/finding.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import { clockText, secondText } from "../../../../../src/ui/format/clock.ts";
import {
  emptyOf,
  findingPanelOf,
  findingRowsOf,
  headOf,
  progressText,
} from "../../../../../src/ui/views/performance/findings/finding-rows.ts";
import { NOT_SEARCHED } from "../../../../../src/ui/views/performance/findings/where-rows.ts";
import { describe } from "../../../../support/describe.ts";

const FINDING: FindingRecord = {
  key: "one",
  kind: "n-plus-one",
  endpoint: { method: "GET", origin: "https://api.test", path: "/items/{id}", operation: null },
  origin: null,
  client: null,
  attribute: null,
  count: 1_204,
  time: 6_340,
  bytes: null,
  confidence: "possible",
  exchanges: [3 as ExchangeId],
  summary: "GET /items/{id} was asked once per item.",
  advice: "Ask for all of them.",
  evidence: [{ name: "bursts", value: "3" }],
  basis: "Up to: all but the longest.",
};

function ranked(findings: readonly FindingRecord[], change: Partial<RankedFindings> = {}): RankedFindings {
  const totals = {
    matched: findings.length,
    total: findings.length,
    exchanges: 1_935,
    older: 0,
    endpoints: 40,
    clients: 1,
  };
  return { findings, ...totals, duration: 60_000, waiting: 50_000, ...change };
}

describe("finding rows", (test) => {
  test("given an upper bound, say so beside the cost", () => {
    const [row] = findingRowsOf(ranked([FINDING]));
    assert.equal([row?.upTo, row?.cost, row?.unit, row?.count], ["up to", "6.3", "s", "1,204"]);
    const [measured] = findingRowsOf(ranked([{ ...FINDING, basis: "Measured." }]));
    assert.is(measured?.upTo, "");
  });

  test("given requests in page loads, says whether they are on the path", () => {
    const said = (onPath: number, atMost: number) => {
      const both = { byLinks: onPath > 0 ? atMost : 0, atMost };
      const loadGain = {
        unit: "load",
        units: 4,
        onPath,
        perhaps: 2,
        median: both,
        sum: both,
        duration: 9_000,
      } as const;
      const finding = { ...FINDING, loadGain };
      assert.is(findingPanelOf({ finding, exchanges: [] }).pathTitle, findingRowsOf(ranked([finding]))[0]?.pathTitle);
      return findingRowsOf(ranked([finding]))[0]?.path;
    };
    assert.is(said(2, 300), "on the path");
    assert.is(said(0, 300), "perhaps on the path");
    assert.is(said(0, 0.4), "beside the path: saves nothing for the load");
    assert.is(findingRowsOf(ranked([FINDING]))[0]?.path, "");
  });

  test("given an endpoint, offers an experiment on it for the clearest exchange's client; else none, or says why", () => {
    const buttonOf = (change: Partial<FindingRecord>) =>
      findingPanelOf({ finding: { ...FINDING, ...change }, exchanges: [] }).experiment;
    assert.equal(buttonOf({})?.wish, { endpoint: "GET https://api.test/items/{id}", exchange: 3 });
    assert.is(buttonOf({ endpoint: null, origin: "https://api.test" }), null);
    assert.is(buttonOf({ kind: "slow-streams" })?.wish, null);
    assert.match(buttonOf({ kind: "slow-streams" })?.title ?? "", /^Streams cannot be held back/);
    const operation = { method: "POST", origin: "https://api.test", path: "/graphql", operation: "query Items" };
    assert.is(buttonOf({ endpoint: operation })?.wish, null);
  });

  test("given a filter, count the findings with a matching exchange, and say when there is none", () => {
    assert.is(headOf(ranked([FINDING], { total: 8 })).count, "1 of 8 findings");
    const none = emptyOf({ found: ranked([], { total: 8 }), progress: 1 }, null);
    assert.equal(none?.title, "No finding has a matching exchange");
    assert.equal([none?.text, none?.kinds], ["Without the filter: 8 findings.", []]);
  });

  test("given bytes and no time, show the bytes without a share of the waiting", () => {
    const [row] = findingRowsOf(ranked([{ ...FINDING, time: null, bytes: 300 * 1024 }]));
    assert.equal([row?.cost, row?.unit, row?.share, row?.shareTitle], ["300", "KB", null, ""]);
  });

  test("given findings, their bars and titles show the share of all waiting time", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 }), (times) => {
        const findings = times.map((time, index) => ({ ...FINDING, key: String(index), time }));
        const waiting = times.reduce((sum, time) => sum + time, 0);
        for (const [index, { share, cost }] of findingRowsOf(ranked(findings, { waiting })).entries()) {
          const width = Number.parseFloat(share?.width ?? "");
          assert.ok(Math.abs(width - (100 * (times[index] ?? 0)) / waiting) < 0.0501);
          assert.ok(cost !== "");
        }
      }),
    );
    const [row] = findingRowsOf(ranked([FINDING]));
    assert.is(row?.shareTitle, "12.7 % of all waiting time");
  });

  test("given an origin and a client, name both", () => {
    const scope = { endpoint: null, origin: "https://api.test:8443", client: "127.0.0.1 curl/8.5.0" };
    const [row] = findingRowsOf(ranked([{ ...FINDING, ...scope }]));
    assert.equal([row?.method, row?.what, row?.where], ["", "api.test:8443", "curl/8.5.0 at 127.0.0.1"]);
  });

  test("given an operation and an attribute, name both", () => {
    const endpoint = { method: "POST", origin: "https://api.test", path: "/graphql", operation: "Search" };
    const attribute = { name: "response-header:x-cache", value: "MISS" };
    const [row] = findingRowsOf(ranked([{ ...FINDING, kind: "slow-when", endpoint, attribute, evidence: [] }]));
    assert.equal([row?.what, row?.changes, row?.name], ["/graphql · Search", true, "response header x-cache: MISS"]);
  });

  test("given an attribute with its medians, says how much slower it is, and for how many", () => {
    fc.assert(
      fc.property(fc.nat(9_999), fc.nat(9_999), fc.nat(36), (slow, usual, count) => {
        const evidence = [
          { name: "median time with this value", value: `${slow} ms` },
          { name: "median time without this value", value: `${usual} ms` },
          { name: "requests with this value", value: `${count} of 36` },
        ];
        const attribute = { name: "query:sort", value: "price" };
        const [row] = findingRowsOf(ranked([{ ...FINDING, kind: "slow-when", attribute, evidence }]));
        assert.is(row?.name, `?sort=price: ${slow} ms instead of ${usual} (${count} of 36)`);
      }),
    );
  });

  test("given a change over the session, names its clock time, and shows instants in local time", () => {
    const instants = fc.tuple(fc.nat(2_000_000_000), fc.nat(86_400)).map(([from, length]) => [from, from + length]);
    fc.assert(
      fc.property(instants, fc.nat(999), ([from = 0, to = 0], count) => {
        const [first, last] = [1_000 * from, 1_000 * to] as Instant[];
        const iso = (at = 0) => new Date(at).toISOString();
        const evidence = [
          { name: "median time with this value", value: "115 ms" },
          { name: "median time without this value", value: "65 ms" },
          { name: "requests with this value", value: `${count} of 999` },
          { name: "first request with this value", value: iso(first) },
          { name: "last request with this value", value: iso(last) },
        ];
        const nameOf = (value: string) => {
          const finding: FindingRecord = {
            ...FINDING,
            kind: "slow-when",
            evidence,
            attribute: { name: "time-in-session", value },
          };
          const texts = findingPanelOf({ finding, exchanges: [] }).evidence.map((figure) => figure.value);
          assert.equal(
            texts.slice(-2),
            [first, last].map((at) => secondText(at as Instant)),
          );
          return findingRowsOf(ranked([finding]))[0]?.name;
        };
        const rest = `: 115 ms instead of 65 (${count} of 999 requests)`;
        const [since, until] = [clockText(first as Instant), clockText(last as Instant)];
        assert.is(nameOf("at least 169389 ms"), `Slower since ${since}${rest}`);
        assert.is(nameOf("at most 169389 ms"), `Slower until ${until}${rest}`);
        assert.is(nameOf("from 100 ms to 169389 ms"), `Slower from ${since} to ${until}${rest}`);
      }),
    );
  });

  test("given a summary that names the endpoint, does not name it again", () => {
    const endpoint = { method: "GET", origin: "https://api.test", path: "/items", operation: null };
    const rowWith = (summary: string) => findingRowsOf(ranked([{ ...FINDING, endpoint, summary }]))[0];
    const named = rowWith("GET /items is polled every 999 ms.");
    assert.equal([named?.method, named?.what, named?.where], ["", "", "api.test"]);
    const other = rowWith("The same request was sent again.");
    assert.equal([other?.method, other?.what], ["GET", "/items"]);
  });
});

describe("header and empty state of the Findings tab", (test) => {
  test("given findings, the header counts what was checked and what was not, and names the order", () => {
    const head = headOf(ranked([FINDING], { older: 900_000, matched: 140, total: 140, clients: 2 }));
    assert.equal(head, {
      count: "140 findings",
      exchanges: "in 1,935 counted requests; the first 1 are listed",
      exchangesTitle: NOT_SEARCHED,
      order: "",
      left: "900,000 older exchanges not checked",
    });
    const sure = { ...FINDING, confidence: "certain" } as const;
    assert.is(headOf(ranked([sure, sure])).order, ", the costliest first");
    const order = ", the costliest first; a possible one below surer ones of at least half its time";
    assert.is(headOf(ranked([sure, { ...FINDING, confidence: "possible" }])).order, order);
  });

  test("given nothing found, says what was looked for; given little traffic, that too", () => {
    const enough = emptyOf({ found: ranked([]), progress: 1 }, null);
    assert.equal([enough?.title, enough?.kinds.length], ["Nothing stands out", FINDING_KINDS.length]);
    assert.is(enough?.text, "Checked 1,935 exchanges to 40 endpoints. Looked for:");
    assert.match(emptyOf({ found: ranked([], { exchanges: 7 }), progress: 1 }, null)?.text ?? "", /little traffic/);
  });

  test("given nothing captured, a search under way, findings, or no answer, is not taken for a clean session", () => {
    assert.is(emptyOf({ found: ranked([], { exchanges: 0 }), progress: 1 }, null)?.title, "Nothing to check yet");
    assert.is(emptyOf({ found: null, progress: 0 }, null)?.title, "Looking for causes");
    assert.is(emptyOf({ found: ranked([]), progress: 0.34 }, null)?.title, "Looking for causes");
    assert.is(emptyOf({ found: ranked([FINDING]), progress: 1 }, null), null);
    assert.is(emptyOf(undefined, null), null);
    assert.is(emptyOf(undefined, "Weir has ended.")?.title, "Weir has ended.");
  });

  test("given a long search, shows its progress until it is done", () => {
    assert.is(progressText({ found: ranked([]), progress: 1 }), "");
    assert.match(progressText({ found: ranked([]), progress: 0.999 }), /99 % of the session/);
  });
});

describe("finding panel", (test) => {
  test("given a finding, shows its cost in words and its exchanges, with failed ones marked", () => {
    const at = 1_700_000_000_000;
    const shown = { method: "GET", origin: "https://api.test", target: "/items/1", start: at as Instant };
    const panel = findingPanelOf({
      finding: FINDING,
      exchanges: [
        { ...shown, id: 3 as ExchangeId, status: 503, errorType: null, end: (at + 1_086) as Instant },
        { ...shown, id: 4 as ExchangeId, status: 200, errorType: null, end: (at + 4.1) as Instant },
      ],
    });
    assert.is(panel.cost, "up to 6.3 s lost");
    assert.match(panel.exchangesTitle, /2 of 1,204/);
    assert.equal(
      panel.exchanges.map(({ key, status, failed, length }) => [key, status, failed, length]),
      [
        [3, "503", true, "1,086"],
        [4, "200", false, "4.1"],
      ],
    );
  });
});
