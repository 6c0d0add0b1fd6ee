import * as assert from "uvu/assert";
import { attributeText } from "../../../src/engine/insights/findings/slow-when/attribute-text.ts";
import { redactedFinding, redactedWhere } from "../../../src/engine/interchange/finding-redaction.ts";
import type { Finding } from "../../../src/engine/model/finding.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { NO_WAITING } from "../../../src/engine/model/where.ts";
import { describe } from "../../support/describe.ts";

const SECRET = "s3cr3t-value";

function finding(more: Partial<Finding>): Finding {
  const scope = { endpoint: null, origin: "https://a.test", client: null };
  const cost = { count: 1, time: 100, bytes: null, confidence: "likely", exchanges: [] } as const;
  return {
    kind: "slow-when",
    attribute: null,
    summary: "",
    advice: "",
    evidence: [],
    basis: "",
    ...scope,
    ...cost,
    ...more,
  };
}

describe("redaction of findings", (test) => {
  for (const name of [
    "query:api_key",
    "body:api_key",
    "body:login.password",
    "request-header:authorization",
    "response-header:set-cookie",
  ]) {
    test(`given ${name}, omits its value everywhere`, () => {
      const told = redactedFinding(
        finding({
          attribute: { name, value: SECRET },
          summary: `18 of 20 have ${name}: ${SECRET}.`,
          evidence: [{ name: `with ${SECRET}`, value: SECRET }],
          basis: SECRET,
        }),
      );
      assert.not.match(JSON.stringify(told), SECRET);
      assert.match(told.summary, name);
    });
  }

  test("given the text of any attribute with a secret name or value, omits the secret everywhere", () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiJhbm4ifQ"}.c2lnbmF0dXJlLW9mLWFubg`;
    const long = "k9Qz".repeat(40);
    const attributes = [
      ...["query:api_key", "body:api_key", "body:login.password"].flatMap((name) => [
        { name, value: SECRET },
        { name, value: long },
      ]),
      ...["query:q", "body:q", "path:2"].map((name) => ({ name, value: token })),
      { name: `while:GET /session/${token}`, value: "in flight" },
    ];
    for (const attribute of attributes) {
      const { predicate } = attributeText(attribute);
      const told = JSON.stringify(redactedFinding(finding({ attribute, summary: `18 of 20 ${predicate}.` })));
      for (const secret of [SECRET, long.slice(0, 12), token.slice(0, 12)]) assert.not(told.includes(secret), told);
    }
  });

  test("given addresses with secrets, takes those out and leaves the rest", () => {
    const { summary } = redactedFinding(
      finding({ summary: `GET https://a.test/x?token=${SECRET}&page=2 and '/y?sig=${SECRET}&n=1'.` }),
    );
    assert.not.match(summary, SECRET);
    assert.match(summary, /page=2/);
    assert.match(summary, /n=1/);
  });

  test("given the words of an open attribute, leaves them as they are", () => {
    for (const name of ["query:sort", "body:filter.status", "path:2", "while:POST /import/{id}", "first-use"]) {
      const attribute = { name, value: "acme" };
      const { predicate, again } = attributeText(attribute);
      const summary = `18 of 20 requests to GET /a over 90 ms ${predicate}; so ${again} 3 of 90 others.`;
      const open = finding({ attribute, summary });
      assert.equal(redactedFinding(open), open);
    }
  });

  test("given an open attribute, leaves the finding as it is", () => {
    const open = finding({
      attribute: { name: "query:city", value: "Kiel" },
      summary: "city is Kiel",
      evidence: [{ name: "median", value: "3 ms" }],
    });
    assert.equal(redactedFinding(open), open);
  });
});

describe("Where the time went, redaction", (test) => {
  test("given paths with a web token, omits it everywhere", () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiJhbm4ifQ"}.c2lnbmF0dXJlLW9mLWFubg`;
    const endpoint = { method: "GET", origin: "https://a.test", path: `/session/${token}`, operation: null };
    const one = { exchange: 1 as ExchangeId, endpoint, phase: "ttfb" } as const;
    const where = redactedWhere({
      ...NO_WAITING,
      parts: [{ ...one, time: 1, share: 1, requests: 1 }],
      slowest: [{ ...one, latency: 1, phaseTime: 1, usual: null, usualOf: null }],
      loads: [{ start: 0 as Instant, duration: 1, path: [{ ...one, gap: 0, meanwhile: endpoint, time: 1 }] }],
    });
    assert.not.match(JSON.stringify(where), "eyJzdWIi");
    assert.is(JSON.stringify(where).match(/\/session\//g)?.length, 4);
  });
});
