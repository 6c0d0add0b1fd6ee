import { createHash } from "node:crypto";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { fingerprintOf, type Identified, identityText } from "../../../src/engine/interchange/fingerprint.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { hostAliasesOf, NO_ALIASES } from "../../../src/engine/model/host-alias.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const of = (finding: Identified, aliases = NO_ALIASES) => fingerprintOf(finding, aliases, sha256);

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
const found: fc.Arbitrary<Identified> = fc.record({
  kind: fc.constantFrom(...FINDING_KINDS),
  endpoint: fc.option(
    fc.record({
      method: fc.constantFrom("GET", "POST"),
      origin: word.map((name) => `https://${name}.test`),
      path: word.map((name) => `/${name}/{id}`),
      operation: fc.option(word),
    }),
  ),
  origin: fc.option(word.map((name) => `https://${name}.test`)),
  attribute: fc.option(fc.record({ name: word.map((name) => `query:${name}`), value: word })),
});

describe("finding fingerprint", (test) => {
  test("given the same cause with another value, client, cost or scheme, the fingerprint is the same", () => {
    fc.assert(
      fc.property(found, word, (finding, value) => {
        const { attribute, endpoint } = finding;
        const again = {
          ...finding,
          client: "10.0.0.9 other/2",
          count: 9,
          time: 3,
          summary: value,
          attribute: attribute === null ? null : { ...attribute, value },
          endpoint: endpoint === null ? null : { ...endpoint, origin: endpoint.origin.replace("https:", "http:") },
        };
        assert.match(of(finding), /^[0-9a-f]{16}$/);
        assert.is(of(again), of(finding));
      }),
    );
  });

  test("given another kind, method, path, operation, host or attribute, is another one", () => {
    fc.assert(
      fc.property(found, found, (one, other) => {
        const isSame = identityText(one, NO_ALIASES) === identityText(other, NO_ALIASES);
        assert.is(of(one) === of(other), isSame, `${identityText(one, NO_ALIASES)} ${identityText(other, NO_ALIASES)}`);
      }),
    );
  });

  test("given another name of a host, the fingerprint is the same only if the name is an alias", () => {
    const at = (origin: string): Identified => ({
      kind: "n-plus-one",
      origin: null,
      attribute: null,
      endpoint: { method: "GET", origin, path: "/orders/{id}", operation: null },
    });
    const aliases = unwrap(hostAliasesOf(["127.0.0.1=api.example.com"]));
    assert.is(of(at("http://127.0.0.1:43121"), aliases), of(at("https://api.example.com")));
    assert.is.not(of(at("http://127.0.0.1:43121")), of(at("https://api.example.com")));
    assert.is(identityText(at("http://127.0.0.1:43121"), aliases), "n-plus-one GET api.example.com/orders/{id}");
  });

  test("given a path with an id, a rule's placeholder or a secret, does not depend on them", () => {
    const at = (path: string): Identified => ({
      kind: "slow-when",
      origin: null,
      attribute: { name: "query:page", value: "7" },
      endpoint: { method: "GET", origin: "https://api.test", path, operation: "Get" },
    });
    const [learned, ...others] = ["/orders/{id}", "/orders/42", "/orders/{order}"].map((path) => of(at(path)));
    assert.equal(others, [learned, learned]);
    assert.is(identityText(at("/orders/42"), NO_ALIASES), "slow-when GET api.test/orders/{id} · Get (query:page)");
    const [one, other] = ["/a;token=s3cr3t", "/a;token=0ther"].map((path) => identityText(at(path), NO_ALIASES));
    assert.not.match(one ?? "", "s3cr3t");
    assert.is(one, other);
  });
});
