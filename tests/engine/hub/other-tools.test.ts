import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { otherToolOf } from "../../../src/engine/hub/other-tools.ts";
import { SAMPLE } from "../../../src/engine/hub/target.ts";
import { terminal } from "../../../src/engine/hub/targets/terminal.ts";
import { describe } from "../../support/describe.ts";

describe("tools without a page", (test) => {
  test("every variable that a note says the block has is in the block", () => {
    const values = {
      host: "127.0.0.1",
      port: 1,
      lan: null,
      ca: "/ca",
      bundle: "/bundle",
      der: "/der",
      keyHash: "hash=",
      url: SAMPLE,
      reverse: 1,
      transparent: 8443,
    };
    const block = terminal.variants.flatMap(({ forms }) => forms.map(({ text }) => text(values))).join("\n");
    for (const name of ["kubectl", "uv", "poetry", "terraform", "gcloud", "vscode", "cypress", "grpc", ".env"]) {
      const named = (otherToolOf(name)?.note ?? "").match(/\b\w+_\w+\b/g) ?? [];
      const missing = named.filter((word) => !block.includes(word));
      assert.equal([name, missing.filter((word) => word !== "custom_ca_certs_file")], [name, []]);
    }
  });

  test("a tool is found by the beginning of its name, in any case and spacing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.boolean(), (length, upper) => {
        const typed = "terraform".slice(0, length);
        const found = otherToolOf(`  ${upper ? typed.toUpperCase() : typed} `);
        assert.is(found?.names[0], "terraform");
      }),
    );
    assert.is(otherToolOf("vs  code")?.names[0], "vscode");
    for (const word of ["", " ", "erraform", "terraforms"]) assert.is(otherToolOf(word), null);
  });
});
