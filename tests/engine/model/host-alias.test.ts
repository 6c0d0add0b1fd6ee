import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { aliasedEndpointOf, aliasedHostOf, hostAliasesOf } from "../../../src/engine/model/host-alias.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

describe("host aliases", (test) => {
  test("given an alias without a port, stands for the host at any port; one with a port only for that port", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        const any = unwrap(hostAliasesOf(["Staging.example.com=api.example.com"]));
        assert.is(aliasedHostOf(`https://staging.example.com:${port}`, any), "api.example.com");
        assert.is(aliasedHostOf("http://STAGING.example.com", any), "api.example.com");
        const one = unwrap(hostAliasesOf([`[::1]:${port}=api.example.com:8443`]));
        assert.is(aliasedHostOf(`http://[::1]:${port}`, one), "api.example.com:8443");
        assert.is(aliasedHostOf("http://[::1]", one), "[::1]");
      }),
    );
    assert.is(aliasedHostOf("https://api.test:8443", unwrap(hostAliasesOf([]))), "api.test:8443");
  });

  test("given an endpoint of a host with another name, names it by that; else leaves it", () => {
    const aliases = unwrap(hostAliasesOf(["127.0.0.1=shop.test"]));
    const named = (endpoint: string) => aliasedEndpointOf(endpoint as Endpoint, aliases);
    assert.is(named("POST http://127.0.0.1:4711/graphql · GetUser"), "POST http://shop.test/graphql · GetUser");
    for (const other of ["GET http://127.0.0.2:4711/a", "GET https://shop.test/"]) assert.is(named(other), other);
  });

  test("given entries that cannot be meant, says why", () => {
    const said = [
      ["staging"],
      ["https://staging.test=api.test"],
      ["staging.test=api.test/v1"],
      ["staging.test:0=api.test"],
      ["a.test=A.test"],
      ["a.test=b.test", "a.test=c.test"],
      ["a.test=b.test", "b.test=c.test"],
    ].map((entries) => problemOf(hostAliasesOf(entries)));
    for (const problem of said.slice(0, 4)) assert.match(problem, /does not have the form host=host, such as /);
    assert.equal(said.slice(4), [
      '"a.test=A.test" names one host twice.',
      "a.test has two aliases, b.test and c.test.",
      "b.test is an alias and has one itself.",
    ]);
    assert.ok(hostAliasesOf(["a.test=b.test", "a.test=b.test"]).ok, "the same entry twice means nothing else");
  });
});
