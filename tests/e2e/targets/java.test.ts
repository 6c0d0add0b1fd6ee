import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

const PROGRAM = "java/httpclient@Java 11 and newer";
const version = ["sh", "-c", "java -version 2>&1"];
const LIMIT = 60_000;

/** A program without proxy settings: the properties alone must route it to Weir. */
const plainProgram = ({ values }: Place) => `public class Plain {
    public static void main(String[] arguments) throws Exception {
        var connection = (java.net.HttpURLConnection) new java.net.URL(${JSON.stringify(values.url)}).openConnection();
        System.out.println(connection.getResponseCode());
    }
}
`;

/** Runs the program with the line in its comment, in another folder than that of the import. */
function elsewhere({ folder, saved }: Place, text: string): readonly string[] {
  mkdirSync(join(folder, "elsewhere"));
  saved("elsewhere/WeirProbe.java", text);
  return ["sh", "-c", `cd elsewhere\n${/^\/\/ (java .*)$/m.exec(text)?.[1] ?? ""}`];
}

describe("Java, with a local JDK", (test) => {
  for (const form of ["java/keystore#sh", "java/keystore#fish"]) {
    prove(test, {
      form,
      skip: needs("java", "keytool", shellOf(form)),
      // The import succeeded if the hub's program, started with the copied store, is captured.
      before: ({ text }) => [[shellOf(form), "-c", text]],
      run: (place) => elsewhere(place, place.textOf(PROGRAM)),
      version,
      limit: LIMIT,
    });
  }

  prove(test, {
    form: "java/httpclient@Java 11 and newer",
    skip: needs("java", "keytool"),
    before: ({ textOf }) => [["sh", "-c", textOf("java/keystore#sh")]],
    run: (place) => elsewhere(place, place.text),
    version,
    fails: true,
    limit: LIMIT,
  });

  prove(test, {
    form: "java/environment#sh",
    skip: needs("java", "keytool"),
    before: ({ textOf }) => [["sh", "-c", textOf("java/keystore#sh")]],
    run: (place) => {
      mkdirSync(join(place.folder, "elsewhere"));
      return ["sh", "-c", `${place.text}\ncd elsewhere\njava ${place.saved("Plain.java", plainProgram(place))}`];
    },
    version,
    limit: LIMIT,
  });
});
