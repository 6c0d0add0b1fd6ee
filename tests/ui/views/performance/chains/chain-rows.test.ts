import * as assert from "uvu/assert";
import type { ChainRecord, Step } from "../../../../../src/engine/messages/chain-messages.ts";
import type { Link } from "../../../../../src/engine/model/link.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import {
  chainPanelOf,
  chainRowsOf,
  emptyTitleOf,
  progressText,
} from "../../../../../src/ui/views/performance/chains/chain-rows.ts";
import { lengthPositionOf } from "../../../../../src/ui/views/timeline/rows.ts";
import { describe } from "../../../../support/describe.ts";

const START = new Date(2026, 10, 20, 12, 36, 22).getTime();
const step = (id: number, path: string, from: number, to: number, status: number | null = 200): Step => ({
  id: id as ExchangeId,
  method: "GET",
  origin: "https://api.shop.test",
  target: path,
  status,
  errorType: null,
  start: (START + from) as Instant,
  end: (START + to) as Instant,
  spans: [{ phase: "ttfb", from: 0, to: to - from }],
});

const link = (from: number, gap: number, proof: string | null): Link => ({
  from: from as ExchangeId,
  to: (from + 1) as ExchangeId,
  gap,
  kind: proof === null ? "sequential" : "proven",
  basis: proof === null ? "order" : "protocol",
  evidence:
    proof === null
      ? { source: "order", name: null, value: "3 of 4" }
      : { source: "redirect", name: "location", value: proof },
});

const CHAIN: ChainRecord = {
  key: 1 as ExchangeId,
  count: 12,
  median: 820,
  duration: 1_000,
  client: "shopper",
  length: 4,
  steps: [step(1, "/a?x=1", 0, 300), step(2, "/b", 300, 500), step(3, "/c", 540, 800), step(4, "/d", 800, 1_000, 502)],
  links: [link(1, 0, "/b"), link(2, 40, null), link(3, 0, null)],
  clientTime: 40,
  retryAfterTime: 0,
  proven: 1,
  couldSave: 460,
};

const rowOf = (chain: ChainRecord) =>
  chainRowsOf({ chains: [chain], total: 1, progress: 1, leftOut: 0, chainGap: 300 })[0];

describe("chain rows", (test) => {
  test("given a chain, names it by its first exchanges and says what could be saved and why", () => {
    const row = rowOf(CHAIN);
    assert.is(row?.names, "GET /a, GET /b, GET /c and 1 more");
    assert.is(
      `${row?.saving}${row?.sentence}`,
      "Up to 460 ms less if parallel; 4 exchanges, 1 link proven, client’s own 40 ms.",
    );
    assert.equal([row?.times, row?.median], ["12x", "820"]);
  });

  test("given nothing to save, says how many links are proven, and names the client's own and Retry-After time", () => {
    const row = rowOf({ ...CHAIN, proven: 3, clientTime: 0, couldSave: null });
    assert.is(`${row?.saving}${row?.sentence}`, "4 exchanges, every link proven.");
    assert.is(rowOf({ ...CHAIN, proven: 0, clientTime: 0, couldSave: null })?.sentence, "4 exchanges, no link proven.");
    assert.is(
      rowOf({ ...CHAIN, proven: 3, retryAfterTime: 2_000, couldSave: null })?.sentence,
      "4 exchanges, every link proven, client’s own 40 ms, Retry-After 2,000 ms.",
    );
  });

  test('given a search for chains under way, says that it is searching instead of "No chains"', () => {
    const repeats = { answered: true, state: { total: 0, matched: 0, from: 0, keys: [] } };
    const title = (progress: number, chains: readonly ChainRecord[] = []) =>
      emptyTitleOf(
        { value: { chains, total: chains.length, progress, leftOut: 0, chainGap: 300 }, problem: null },
        repeats,
      );
    assert.equal([title(0.4), title(1), title(0.4, [CHAIN])], ["Looking for chains", "No chains", ""]);
    assert.is(emptyTitleOf({ value: undefined, problem: null }, repeats), "");
    assert.is(emptyTitleOf({ value: undefined, problem: "Weir has exited." }, repeats), "Weir has exited.");
  });

  test("given a filter that no chain and no repeat matches, say that some do not match", () => {
    const value = { chains: [], total: 2, progress: 1, leftOut: 0, chainGap: 300 };
    const repeats = { answered: true, state: { total: 0, matched: 0, from: 0, keys: [] } };
    assert.is(emptyTitleOf({ value, problem: null }, repeats), "No chain has a matching exchange");
  });

  test("given repeats, says that it looks for chains until the first answer about chains has arrived", () => {
    const repeats = { answered: true, state: { total: 3, matched: 3, from: 0, keys: [] } };
    const title = (progress: number) =>
      emptyTitleOf({ value: { chains: [], total: 0, progress, leftOut: 0, chainGap: 300 }, problem: null }, repeats);
    assert.equal([title(0), title(0.4), title(1)], ["Looking for chains", "", ""]);
  });

  test("given several chains, draws all bars on the axis of the longest one and gaps as dotted lines", () => {
    const short = {
      ...CHAIN,
      duration: 500,
      steps: CHAIN.steps.slice(0, 2),
      links: CHAIN.links.slice(0, 1),
      length: 2,
    };
    const [long, half] = chainRowsOf({ chains: [CHAIN, short], total: 2, progress: 1, leftOut: 0, chainGap: 300 });
    assert.equal(
      long?.parts.map(({ style }) => style.left),
      ["0%", "30%", "54%", "80%"],
    );
    assert.equal(
      half?.parts.map(({ style }) => style.left),
      ["0%", "30%"],
    );
    assert.equal(long?.gaps, [{ left: "50%", width: "4%" }]);
  });

  test("given a chain with more exchanges than are sent, draws a line from the last one to the chain's end", () => {
    assert.is(rowOf(CHAIN)?.rest, null);
    const long = rowOf({ ...CHAIN, length: 104, duration: 4_000 });
    assert.equal(long?.rest, { left: "25%", width: "75%" });
    assert.match(long?.barText ?? "", /, and 100 more$/);
  });

  test("given a growing chain, keeps its key, and opens it in the timeline with room on both sides", () => {
    const grown = { ...CHAIN, steps: [...CHAIN.steps, step(5, "/e", 1_000, 1_400)], length: 5, duration: 1_400 };
    assert.is(rowOf(grown)?.key, rowOf(CHAIN)?.key);
    const between = rowOf(CHAIN)?.between;
    assert.ok(between !== undefined && between.from < START && between.to > START + 1_000);
  });

  test("given a timeline as wide as in a window of 1280 px, does leave room for the length after the last bar", () => {
    const range = rowOf(CHAIN)?.between;
    const last = CHAIN.steps.at(-1);
    assert.ok(range !== undefined && last !== undefined);
    const bar = { start: last.start, end: last.end, spans: [], wait: null, slowed: [] };
    const { style } = lengthPositionOf(bar, { slow: false, inFlight: false, link: null }, { range, width: 804 });
    assert.is(style.right, "auto");
  });

  test("given a chain, the panel shows each link with its evidence", () => {
    const { steps, title, more, total } = chainPanelOf(CHAIN);
    assert.is(total, "Total 1,000 ms: 960 ms in these requests, 40 ms of the client’s own time.");
    const beside = chainPanelOf({ ...CHAIN, duration: 1_160 });
    assert.match(
      beside.total,
      /: 960 ms in these requests, 160 ms while others ran, 40 ms of the client’s own time\.$/,
    );
    assert.match(chainPanelOf({ ...CHAIN, length: 104 }).total, /: 960 ms in requests, /);
    assert.equal(
      beside.axis.map(({ label }) => label),
      ["0", "500 ms", "1 s", "1.5 s"],
    );
    assert.is(title, "Chain of 4 exchanges, 1,000 ms, the longest of 12");
    assert.is(more, "");
    assert.is(steps[0]?.link, null);
    assert.equal(steps[1]?.link, {
      proven: true,
      text: "proven: the previous response redirected here",
      value: "/b",
      gap: "0.0 ms later",
    });
    assert.equal(steps[2]?.link, {
      proven: false,
      text: "sequential: 3 of 4 requests to this endpoint came in this order; nothing proves that they had to wait",
      value: "",
      gap: "40 ms later",
    });
    const evidence = { source: "experiment", name: null, value: "starts later by the delay, 30 loads" };
    const [first] = CHAIN.links;
    if (first === undefined) throw new Error("no link");
    const proven = chainPanelOf({ ...CHAIN, links: [{ ...first, basis: "experiment", evidence }] }).steps[1]?.link;
    assert.equal(
      [proven?.text, proven?.value],
      [
        "proven: an experiment held the previous response back, and this request started later by that time",
        "starts later by the delay, 30 loads",
      ],
    );
    assert.equal([steps[3]?.status, steps[3]?.failed], ["502", true]);
    assert.is(chainPanelOf({ ...CHAIN, length: 104 }).more, "and 100 more");
  });

  test("given a search under way, says how far it is, and at the end what was not checked", () => {
    assert.is(
      progressText({ chains: [], total: 0, progress: 0.416, leftOut: 0, chainGap: 300 }),
      "Looking for chains, 41 % of the session so far",
    );
    assert.is(progressText({ chains: [], total: 0, progress: 1, leftOut: 0, chainGap: 300 }), "");
    assert.is(
      progressText({ chains: [], total: 0, progress: 1, leftOut: 50_000, chainGap: 300 }),
      "50,000 older exchanges not checked",
    );
  });
});
