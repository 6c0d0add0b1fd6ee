import * as assert from "uvu/assert";
import { EvidenceIndex } from "../../../src/engine/insights/evidence-index.ts";
import type { Evidence, EvidenceSource } from "../../../src/engine/model/findings.ts";
import { describe } from "../../support/describe.ts";

describe("index of evidence", (test) => {
  test("a word finds who gave it, each with where it did, and no other client's", () => {
    const index = new EvidenceIndex();
    index.offer(1, 1, [given("order-1", "location")]);
    index.offer(2, 1, [given("order-2"), given("order-1", "body")]);
    index.offer(3, 2, [given("order-1")]);
    assert.equal(found(index, "order-1"), ["1 location", "2 body"]);
    assert.equal(found(index, "order-2"), ["2 body"]);
    assert.equal(found(index, "order-3"), []);
  });

  test("of those who gave a value the 16 newest are remembered", () => {
    const index = new EvidenceIndex();
    for (let giver = 1; giver <= 20; giver += 1) index.offer(giver, 1, [given("order-1")]);
    assert.equal(
      found(index, "order-1"),
      Array.from({ length: 16 }, (_, place) => `${place + 5} body`),
    );
  });

  test("the 50,000 values are remembered that were given last", () => {
    const index = new EvidenceIndex();
    for (let giver = 1; giver <= 50_000; giver += 1) index.offer(giver, 1, [given(`order-${giver}`)]);
    assert.equal(found(index, "order-1"), ["1 body"]);
    index.offer(50_001, 1, [given("order-1")]);
    index.offer(50_002, 1, [given("order-0")]);
    assert.equal(found(index, "order-1"), ["1 body", "50001 body"]);
    assert.equal(found(index, "order-2"), []);
    assert.equal(found(index, "order-3"), ["3 body"]);
  });
});

function given(value: string, source: EvidenceSource = "body"): Evidence {
  return { source, value };
}

function found(index: EvidenceIndex, word: string): string[] {
  return [...index.givers(1, new Set([word]))].map(({ giver, evidence }) => `${giver} ${evidence.source}`);
}
