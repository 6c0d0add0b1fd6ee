import * as assert from "uvu/assert";
import { wordsOf } from "../../../../src/engine/model/words.ts";
import { foundParts, type SectionPart } from "../../../../src/ui/views/settings/settings-index.ts";
import { describe } from "../../../support/describe.ts";

const CERTIFICATE: readonly SectionPart[] = [
  { kind: "lead", text: "Weir opens HTTPS with a root certificate." },
  { kind: "setting", text: "Fingerprint 7C41" },
  { kind: "setting", text: "Renewal Renew the certificate" },
  { kind: "subheading", text: "Trusting the certificate by hand" },
  { kind: "lead", text: "Weir never changes what your system trusts." },
  { kind: "setting", text: "macOS Open weir-ca.pem with Keychain Access" },
];
const found = (text: string) =>
  foundParts("Certificate", CERTIFICATE, wordsOf(text))
    .map((kept) => (kept ? "x" : "-"))
    .join("");

describe("search for a setting", (test) => {
  test("given no search words, keeps all parts", () => {
    assert.is(found("  "), "xxxxxx");
  });

  test("given words, keeps the settings that contain all of them in any case, with their headings", () => {
    assert.is(found("RENEW"), "x-x---");
    assert.is(found("keychain"), "---xxx");
    assert.is(found("renew keychain"), "------");
  });

  test("given words in the section's name or in a heading, keeps the settings below", () => {
    assert.is(found("certif"), "xxxxxx");
    assert.is(found("trusting"), "---xxx");
    assert.is(found("certificate fingerprint"), "xx----");
  });
});
