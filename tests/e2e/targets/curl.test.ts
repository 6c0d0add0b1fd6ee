import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

const version = ["curl", "--version"];

describe("curl", (test) => {
  for (const form of ["curl/command#sh", "curl/command#fish", "curl/environment#sh", "curl/environment#fish"]) {
    prove(test, {
      form,
      skip: needs("curl", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version,
      fails: true,
    });
  }
});

describe("any terminal, with curl and the built-in probe host", (test) => {
  for (const form of ["terminal/environment#sh", "terminal/environment#fish"]) {
    prove(test, {
      form,
      skip: needs("curl", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      probeHost: null,
      version,
      fails: true,
    });
  }
});

describe("the curl preflights of API clients", (test) => {
  for (const form of ["insomnia/command-line-preflight#sh", "rapidapi-mac/command-line-preflight#sh"]) {
    prove(test, { form, skip: needs("curl"), run: ({ text }) => ["sh", "-c", text], version });
  }
});
