import * as assert from "uvu/assert";
import { authorityEntries } from "../../../../src/ui/views/settings/host-authorities.ts";
import { describe } from "../../../support/describe.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

describe("the list of hosts' CA files", (test) => {
  test("given files, says for which host, the name, and how many certificates", () => {
    const authorities = [
      { host: "a.test", file: "a.pem", certificates: PEM },
      { host: "b.test", file: "b.pem", certificates: PEM + PEM },
    ];
    assert.equal(
      authorityEntries(authorities).map(({ key, host, file, note }) => [key, host, file, note]),
      [
        [0, "a.test", "a.pem", "1 certificate"],
        [1, "b.test", "b.pem", "2 certificates"],
      ],
    );
  });
});
