import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs, toolFor } from "../../support/which.ts";

const PROXYCHAINS = toolFor(["proxychains4"], ["true"]);

describe("proxychains-ng, which feeds our SOCKS port", (test) => {
  for (const form of ["proxychains/request#sh", "proxychains/request#fish"])
    prove(test, {
      form,
      skip: PROXYCHAINS === null ? "needs proxychains4" : needs("curl", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["sh", "-c", "proxychains4 true 2>&1 | grep -o 'proxychains-ng .*'"],
      fails: true,
    });
});
