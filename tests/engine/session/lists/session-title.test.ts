import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { htmlTitleOf, sessionTitleOf } from "../../../../src/engine/session/lists/session-title.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const CHROME = "127.0.0.1 Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36";

function titleOf(
  sketches: readonly { readonly origin: string; readonly client?: string; readonly program?: string }[],
) {
  return sessionTitleOf(recorded(sketches.map((sketch, index) => exchange({ id: index + 1, ...sketch }))));
}

describe("session title", (test) => {
  test("given hosts and clients, names the busiest host and its two busiest clients without versions", () => {
    const cdn = { origin: "https://cdn.test", client: CHROME };
    const shop = { origin: "https://shop.example.com:8443", client: "10.0.0.7 curl/8.5.0" };
    assert.is(titleOf([]), "");
    assert.is(titleOf([cdn]), "cdn.test, Chrome");
    assert.is(titleOf([cdn, shop, shop]), "shop.example.com:8443, curl, Chrome");
    const others = ["python-requests/2.31", "Go-http-client/2.0"].map((agent) => ({ ...shop, client: `::1 ${agent}` }));
    assert.match(titleOf([cdn, cdn, cdn, shop, shop, ...others]), /^cdn\.test|^shop/);
    assert.match(titleOf([cdn, cdn, cdn, shop, shop, ...others]), /, Chrome, curl and 2 more$/);
    assert.is(titleOf([{ origin: "https://a.test", client: "127.0.0.1" }]), "a.test");
  });

  test("given pages with titles, begins with that of the busiest page, unless it is only a URL", () => {
    const pageOf = (title: string) => {
      const session = recorded([]);
      for (const [index, page] of ["page_1", "page_2", "page_2"].entries()) {
        const events = eventsOf(exchange({ id: index + 1, origin: "https://shop.test", client: CHROME }));
        session.apply(events.map((event) => (event.type === "request-started" ? { ...event, page } : event)));
      }
      const marks = new Map<string, number>();
      session.apply([
        { type: "page-described", page: "page_1", title: "Other", at: null, marks },
        { type: "page-described", page: "page_2", title, at: null, marks },
      ]);
      return sessionTitleOf(session);
    };
    assert.is(pageOf("Cart \u202e- Shop"), "Cart - Shop, Chrome");
    assert.is(pageOf("https://shop.test/cart"), "shop.test, Chrome");
    assert.is(pageOf(""), "shop.test, Chrome");
  });

  test("given hostile hosts and User-Agents, is short, on one line, and without invisible or direction characters", () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.constantFrom(
        "\u202egnp.exe",
        "a\u0000b\u001b[31m",
        "<img src=x onerror=alert(1)>",
        "x".repeat(5_000),
        "\ud800",
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 5 }), (drawn) => {
        const title = titleOf(
          drawn.map(([host, agent]) => ({ origin: `https://${host}`, client: `127.0.0.1 ${agent}` })),
        );
        assert.ok(Array.from(title).length <= 60 + 2 * 30 + 30, String(title.length));
        assert.not.match(title, /[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test("given any exchanges, begins with one of their hosts", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const title = sessionTitleOf(recorded(exchanges));
        assert.is(title === "", exchanges.length === 0);
      }),
    );
  });
});

const htmlTitle = (html: string) => htmlTitleOf(new TextEncoder().encode(html));

describe("HTML document title", (test) => {
  test("given a title, resolves its references and blanks; given none, one in a comment or too late, is empty", () => {
    assert.is(
      htmlTitle("<!doctype html><html><head><TITLE lang=de>\n Käse &amp; Brot&#33;&#x2014;\t7 &euro; </title >"),
      "Käse & Brot!— 7 &euro;",
    );
    assert.is(htmlTitle("<!-- <title>No</title> --><title>Yes</title>"), "Yes");
    assert.is(htmlTitle("<titles>No</titles>"), "");
    assert.is(htmlTitle(`${" ".repeat(64 * 1024)}<title>Late</title>`), "");
    assert.is(htmlTitle("<title>&#99999999;&#1114112;</title>"), "&#99999999;&#1114112;");
  });

  test("given a page in Windows-1252, reads it", () => {
    assert.is(htmlTitleOf(Uint8Array.from(Buffer.from("<title>K\xe4se</title>", "latin1"))), "Käse");
  });

  test("given any text and no reference, is that text with its blanks joined", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const plain = text.replaceAll(/[&\ufffd]/g, "");
        assert.is(htmlTitle(`<p><title>${plain}</title>`), plain.replaceAll(/\s+/g, " ").trim());
      }),
    );
  });
});
