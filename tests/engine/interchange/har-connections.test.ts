import * as assert from "uvu/assert";
import { HarConnections } from "../../../src/engine/interchange/har-import.ts";
import { describe } from "../../support/describe.ts";

const ONE = "192.0.2.1:443";
const TWO = "192.0.2.2:443";

describe("connections in a HAR file", (test) => {
  test("given a connection's name again, returns the same number, which is the name if it is a number", () => {
    const connections = new HarConnections();
    assert.equal([connections.numberOf("7", ONE), connections.numberOf("7", ONE)], [7, 7]);
    const named = connections.numberOf("socket-a", ONE);
    assert.is(connections.numberOf("socket-a", ONE), named);
    assert.is.not(connections.numberOf("socket-b", ONE), named);
  });

  test("given a client's connection, reports it as new if its program differs from the last one", () => {
    const connections = new HarConnections();
    const told = ["curl", "curl", "node", "curl"].map((program) => connections.isNew(7, program));
    assert.equal([...told, connections.isNew(8, "curl")], [true, false, true, true, true]);
  });

  test("given one name for several servers, returns a number for each", () => {
    const connections = new HarConnections();
    const numbers = [ONE, TWO, null].map((server) => connections.numberOf("443", server));
    assert.equal([numbers[0], new Set(numbers).size], [443, 3]);
    assert.is(connections.numberOf("443", TWO), numbers[1]);
  });

  test("given any names, returns different numbers of at most 31 bits", () => {
    const connections = new HarConnections();
    const names = ["first", "1", "2", "second", "4294967297", "0", "01"];
    const numbers = names.map((name) => connections.numberOf(name, null) ?? 0);
    assert.is(new Set(numbers).size, names.length);
    assert.ok(numbers.every((number) => number > 0 && number < 2 ** 31));
  });

  test("given no name or a very long one, returns no number", () => {
    const connections = new HarConnections();
    assert.equal([connections.numberOf("", ONE), connections.numberOf("x".repeat(257), ONE)], [null, null]);
  });
});
