import * as assert from "uvu/assert";
import { matchesOutput } from "../../../src/engine/hub/known-errors.ts";
import { describe } from "../../support/describe.ts";
import { type Place, type Proof, prove, proveWith, shellOf } from "../../support/proof.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const JAVA_LIMIT = 60_000;

const PROOFS: readonly Proof[] = [
  ...["reverse/curl#sh", "reverse/curl#fish"].map(
    (form): Proof => ({
      form,
      skip: needs("curl", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["curl", "--version"],
    }),
  ),
  {
    form: "reverse/python",
    skip: needs("python3"),
    run: ({ text, saved }) => ["python3", saved("probe.py", text)],
    version: ["python3", "--version"],
  },
  {
    form: "reverse/java@Java 11 and newer",
    skip: needs("java"),
    run: ({ text, saved }) => ["java", saved("WeirProbe.java", text)],
    version: ["sh", "-c", "java -version 2>&1"],
    limit: JAVA_LIMIT,
  },
];

/** Troubleshooting explains what the tool prints where nothing listens at the port. */
async function explained(proof: Proof, place: Place): Promise<void> {
  const { output } = await runTool(proof.run(place), place.folder, { limit: JAVA_LIMIT });
  const told = place.target.knownErrors.filter((trouble) => matchesOutput(trouble, output));
  assert.equal(
    told.map(({ meaning }) => meaning.split(".", 1)[0]),
    ["Nothing listens at the reverse port"],
    output,
  );
}

describe("a reverse port, with the real clients", (test) => {
  for (const proof of PROOFS) {
    prove(test, proof);
    proveWith(test, proof, "off", "without the port fails as documented", (place) => explained(proof, place));
  }

  // Weir itself responds for that origin.
  prove(test, {
    form: "reverse/curl#sh",
    skip: needs("curl"),
    run: ({ text }) => ["sh", "-c", text],
    probeHost: null,
  });
});
