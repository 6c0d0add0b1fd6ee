import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs, toolFor } from "../../support/which.ts";

const PYTHON = toolFor(["/usr/bin/python3", "python3", "python"], ["-c", "import requests, socks"]);

describe("SOCKS 5, with the real clients", (test) => {
  for (const form of ["socks/curl#sh", "socks/curl#fish"]) {
    prove(test, {
      form,
      skip: needs("curl", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["curl", "--version"],
      fails: true,
    });
  }

  prove(test, {
    form: "socks/curl#sh",
    skip: needs("curl"),
    run: ({ text }) => ["sh", "-c", text],
    probeHost: null,
  });

  prove(test, {
    form: "socks/requests",
    skip: PYTHON === null ? "needs Python with requests and PySocks" : null,
    run: ({ text, saved }) => [PYTHON ?? "", saved("probe.py", text)],
    version: [PYTHON ?? "", "-c", "import requests; print(requests.__version__)"],
    fails: true,
  });

  prove(test, {
    form: "socks/java",
    skip: needs("java", "keytool"),
    before: ({ textOf }) => [["sh", "-c", textOf("java/keystore#sh")]],
    run: ({ text, saved }) => {
      saved("WeirProbe.java", text);
      return ["sh", "-c", /^\/\/ (java .*)$/m.exec(text)?.[1] ?? ""];
    },
    version: ["sh", "-c", "java -version 2>&1"],
    fails: true,
    limit: 60_000,
  });
});
