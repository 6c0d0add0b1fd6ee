import * as assert from "uvu/assert";
import type { ChainRecord, Step } from "../../../../src/engine/messages/finding-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import {
  chainPanelOf,
  chainRowsOf,
  emptyTitleOf,
  progressText,
} from "../../../../src/ui/views/performance/chain-rows.ts";
import { describe } from "../../../support/describe.ts";

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

const CHAIN: ChainRecord = {
  duration: 1_000,
  client: "shopper",
  length: 4,
  steps: [step(1, "/a?x=1", 0, 300), step(2, "/b", 300, 500), step(3, "/c", 540, 800), step(4, "/d", 800, 1_000, 502)],
  edges: [
    {
      from: 1 as ExchangeId,
      to: 2 as ExchangeId,
      gap: 0,
      kind: "proven",
      evidence: { source: "location", value: "/b" },
    },
    { from: 2 as ExchangeId, to: 3 as ExchangeId, gap: 40, kind: "sequential", evidence: null },
    { from: 3 as ExchangeId, to: 4 as ExchangeId, gap: 0, kind: "sequential", evidence: null },
  ],
  gaps: 40,
  proven: 1,
  couldSave: 460,
};

const rowOf = (chain: ChainRecord) => chainRowsOf({ chains: [chain], progress: 1, chainGap: 300 })[0];

describe("rows of chains", (test) => {
  test("a chain is named by its first exchanges, and says what could be saved and why", () => {
    const row = rowOf(CHAIN);
    assert.is(row?.names, "GET /a, GET /b, GET /c and 1 more");
    assert.is(
      `${row?.saving}${row?.sentence}`,
      "Could save 460 ms if parallel; 4 exchanges, 1 link proven, gaps 40 ms.",
    );
    assert.is(row?.duration, "1,000");
  });

  test("where every link is proven nothing could be saved, so nothing is offered", () => {
    const edges = CHAIN.edges.map((edge) => ({ ...edge, kind: "proven" as const }));
    const row = rowOf({ ...CHAIN, edges, proven: 3, gaps: 0, couldSave: null });
    assert.is(`${row?.saving}${row?.sentence}`, "4 exchanges, every link proven.");
    assert.is(rowOf({ ...CHAIN, proven: 0, gaps: 0, couldSave: null })?.sentence, "4 exchanges, no link proven.");
  });

  test("while it is still looked for nothing is said not to be there", () => {
    const repeats = { answered: true, state: { total: 0, matched: 0, from: 0, keys: [] } };
    const title = (progress: number, chains: readonly ChainRecord[] = []) =>
      emptyTitleOf({ value: { chains, progress, chainGap: 300 }, problem: null }, repeats);
    assert.equal([title(0.4), title(1), title(0.4, [CHAIN])], ["Looking for chains", "No chains", ""]);
    assert.is(emptyTitleOf({ value: undefined, problem: null }, repeats), "");
    assert.is(emptyTitleOf({ value: undefined, problem: "Weir has ended." }, repeats), "Weir has ended.");
  });

  test("repeats wait for the first list of chains, above them, and for no other", () => {
    const repeats = { answered: true, state: { total: 3, matched: 3, from: 0, keys: [] } };
    const title = (progress: number) =>
      emptyTitleOf({ value: { chains: [], progress, chainGap: 300 }, problem: null }, repeats);
    assert.equal([title(0), title(0.4), title(1)], ["Looking for chains", "", ""]);
  });

  test("all bars share the axis of the longest chain; gaps are dotted", () => {
    const short = {
      ...CHAIN,
      duration: 500,
      steps: CHAIN.steps.slice(0, 2),
      edges: CHAIN.edges.slice(0, 1),
      length: 2,
    };
    const [long, half] = chainRowsOf({ chains: [CHAIN, short], progress: 1, chainGap: 300 });
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

  test("of a chain with more exchanges than are told, a line goes on to its end", () => {
    assert.is(rowOf(CHAIN)?.rest, null);
    const long = rowOf({ ...CHAIN, length: 104, duration: 4_000 });
    assert.equal(long?.rest, { left: "25%", width: "75%" });
    assert.match(long?.barText ?? "", /, and 100 more$/);
  });

  test("a chain that grows keeps its key, and the timeline shows it with room beside it", () => {
    const grown = { ...CHAIN, steps: [...CHAIN.steps, step(5, "/e", 1_000, 1_400)], length: 5, duration: 1_400 };
    assert.is(rowOf(grown)?.key, rowOf(CHAIN)?.key);
    const between = rowOf(CHAIN)?.between;
    assert.ok(between !== undefined && between.from < START && between.to > START + 1_000);
  });

  test("the panel shows each link with what proves it", () => {
    const { steps, title, more } = chainPanelOf(CHAIN);
    assert.is(title, "Chain of 4 exchanges, 1,000 ms");
    assert.is(more, "");
    assert.is(steps[0]?.link, null);
    assert.equal(steps[1]?.link, {
      proven: true,
      text: "proven: uses a value of its Location",
      value: "/b",
      gap: "0.0 ms later",
    });
    assert.equal([steps[2]?.link?.proven, steps[2]?.link?.gap], [false, "40 ms later"]);
    assert.equal([steps[3]?.status, steps[3]?.failed], ["502", true]);
    assert.is(chainPanelOf({ ...CHAIN, length: 104 }).more, "and 100 more");
  });

  test("how far the search is, is said until it is done", () => {
    assert.is(
      progressText({ chains: [], progress: 0.416, chainGap: 300 }),
      "Looking for chains, 41 % of the session so far",
    );
    assert.is(progressText({ chains: [], progress: 1, chainGap: 300 }), "");
  });
});
