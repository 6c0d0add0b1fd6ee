import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

/** Each text is one part of the same run: collection, request and command come from the hub. */
const newman = ({ textOf, saved }: Place) => {
  saved("weir-probe.postman_collection.json", textOf("postman/collection"));
  return ["sh", "-c", textOf("postman/command-line-preflight#sh")];
};

const bru = ({ textOf, saved }: Place) => {
  saved("bruno.json", textOf("bruno/collection"));
  saved("probe.bru", textOf("bruno/request"));
  return ["sh", "-c", textOf("bruno/command-line-preflight#sh")];
};

describe("Postman's command-line preflight", (test) => {
  const version = ["newman", "--version"];
  prove(test, { form: "postman/collection", skip: needs("newman"), run: newman, version });
  prove(test, {
    form: "postman/command-line-preflight#sh",
    skip: needs("newman"),
    run: newman,
    version,
    fails: true,
  });
});

describe("Bruno's command-line preflight", (test) => {
  const version = ["bru", "--version"];
  prove(test, { form: "bruno/collection", skip: needs("bru"), run: bru, version });
  prove(test, { form: "bruno/request", skip: needs("bru"), run: bru, version });
  prove(test, {
    form: "bruno/command-line-preflight#sh",
    skip: needs("bru"),
    run: bru,
    version,
    fails: true,
  });
});
