import * as assert from "uvu/assert";
import type { ExchangeDetail } from "../../../../src/engine/messages/exchange-messages.ts";
import { ERROR_TYPES, type Outcome, type Tag } from "../../../../src/engine/model/exchange.ts";
import { noteOf } from "../../../../src/ui/views/inspector/facts.ts";
import { describe } from "../../../support/describe.ts";

const OK: Outcome = { kind: "responded", status: 200 };

function note(origin: string, tags: readonly Tag[], outcome: Outcome | null = OK) {
  return noteOf({ exchange: { origin, tags, outcome } } as ExchangeDetail);
}

describe("notes on failed connections", (test) => {
  test("given a connection that is not HTTP, offers to let its host pass through", () => {
    assert.match(note("https://mail.test:993", ["tunnel", "not-http"])?.text ?? "", "This is not HTTP");
    assert.is(note("https://mail.test:993", ["tunnel", "not-http"])?.host, "mail.test");
    assert.is(note("https://[2001:db8::1]:993", ["malformed", "not-http"])?.host, "2001:db8::1");
  });

  test("given a connection closed without a request, explains the usual reason and offers nothing", () => {
    const told = note("https://a.test", ["tunnel", "no-request"]);
    assert.match(told?.text ?? "", "Browsers do so with spare connections");
    assert.is(told?.host, null);
  });

  test("given failures, offers to let the host pass only for those that the client's own TLS can avoid", () => {
    const passable = ERROR_TYPES.filter(
      (errorType) =>
        note("https://a.test", [], { kind: "failed", errorType, detail: "", status: 502 })?.host === "a.test",
    );
    assert.equal(passable, ["client-rejected-certificate", "client-tls-failed", "tls-renegotiation"]);
  });

  test("given any other exchange, shows no note", () => {
    assert.is(note("https://a.test", []), null);
    assert.is(note("https://a.test", ["tunnel"]), null);
    assert.is(note("https://a.test", [], null), null);
  });
});
