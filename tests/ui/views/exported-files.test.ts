import * as assert from "uvu/assert";
import { exportedFiles } from "../../../src/ui/views/exported-files.ts";
import { describe } from "../../support/describe.ts";

describe("exported files of the certificate", (test) => {
  test("given their paths, names each file after the end of its path", () => {
    const paths = ["weir-ca.pem", "weir-ca-bundle.pem", "weir-ca.cer"].map((name) => `/home/a/${name}`);
    const [pem = "", bundle = "", der = ""] = paths;
    const rows = exportedFiles(pem, bundle, der);
    assert.equal(
      rows.map(({ value }) => value),
      paths,
    );
    for (const { name, value } of rows) assert.ok(value.endsWith(`/${name}`));
  });
});
