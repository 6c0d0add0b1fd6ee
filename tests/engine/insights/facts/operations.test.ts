import * as assert from "uvu/assert";
import { operationOf } from "../../../../src/engine/insights/facts/operations.ts";
import { queryPairsOf } from "../../../../src/engine/insights/facts/query-pairs.ts";
import { SentText } from "../../../../src/engine/insights/facts/sent-text.ts";
import { describe } from "../../../support/describe.ts";

const posted = (body: unknown, fields: readonly { name: string; value: string }[] = []) =>
  operationOf({
    method: "POST",
    query: [],
    fields,
    body: new SentText(typeof body === "string" ? body : JSON.stringify(body)),
  });
const asked = (target: string) =>
  operationOf({ method: "GET", query: queryPairsOf(target), fields: [], body: new SentText("") });

describe("operation names of requests", (test) => {
  test("given GraphQL, takes operationName, then the first named operation, then the persisted query's hash", () => {
    assert.equal(posted({ operationName: "A", query: "query B { x }" }), { kind: "graphql", name: "A" });
    assert.equal(posted({ query: 'query { q(s: "query X {") } # query Y {\nmutation B($a: ID!) { x }' }), {
      kind: "graphql",
      name: "B",
    });
    assert.equal(posted({ query: 'query { q(s: """a "query X {\n" """, t: "") } query B { x }' })?.name, "B");
    assert.equal(posted({ extensions: { persistedQuery: { version: 1, sha256Hash: "abc123" } } }), {
      kind: "graphql",
      name: "abc123",
    });
    assert.equal(posted({ operationName: "A", variables: {} }), { kind: "graphql", name: "A" });
    assert.equal(posted({ query: "{ me { id } }" }), { kind: "graphql", name: null });
  });

  test("given GraphQL in a URL, takes it from the query", () => {
    assert.equal(
      asked("/g?operationName=Me&extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22f00%22%7D%7D"),
      { kind: "graphql", name: "Me" },
    );
    assert.equal(asked("/g?query=query+Hero+%7Bname%7D"), { kind: "graphql", name: "Hero" });
  });

  test("given a batch, names all of it, in its order", () => {
    assert.equal(posted([{ query: "query A {x}" }, { query: "mutation B {y}" }]), { kind: "graphql", name: "[A, B]" });
    const long = posted(Array.from({ length: 30 }, (_, index) => ({ jsonrpc: "2.0", method: `m${index}` })));
    assert.match(long?.name ?? "", /^\[m0, .*m19, …\]$/);
  });

  test("given JSON-RPC and SOAP, takes the method and the action", () => {
    assert.equal(posted({ jsonrpc: "2.0", method: "eth_call", id: 1 }), { kind: "json-rpc", name: "eth_call" });
    assert.equal(posted("<x/>", [{ name: "soapaction", value: '"urn:Get"' }]), { kind: "soap", name: "urn:Get" });
    assert.equal(posted("<x/>", [{ name: "content-type", value: 'application/soap+xml; action="urn:Put"' }]), {
      kind: "soap",
      name: "urn:Put",
    });
  });

  test("given a search for words, a form and cut JSON, sees no operation", () => {
    assert.is(asked("/search?query=garden+chairs"), null);
    assert.is(posted({ query: "garden chairs", page: 1 }), null);
    assert.is(posted("query=x&operationName=y"), null);
    assert.is(posted('{"query":"query A {x'), null);
    assert.is(posted([]), null);
    assert.is(posted([{ query: "query A {x}" }, { other: 1 }]), null);
    assert.is(posted({ jsonrpc: "1.0", method: "x" }), null);
  });
});
