import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

const PROPERTIES = ["-Djavax.net.ssl.trustStore=weir-cacerts", "-Djavax.net.ssl.trustStorePassword=changeit"];

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

describe("Java, with a local JDK", (test) => {
  for (const form of ["java/keystore#sh", "java/keystore#fish"]) {
    prove(test, {
      form,
      skip: needs("java", "keytool", shellOf(form)),
      // The import succeeded if the hub's program, started with the copied store, is captured.
      before: ({ text }) => [[shellOf(form), "-c", text]],
      run: ({ textOf, saved }) => [
        "java",
        ...PROPERTIES,
        saved("WeirProbe.java", textOf("java/httpclient@Java 11 and newer")),
      ],
      version,
      limit: LIMIT,
    });
  }

  prove(test, {
    form: "java/httpclient@Java 11 and newer",
    skip: needs("java", "keytool"),
    before: ({ textOf }) => [["sh", "-c", textOf("java/keystore#sh")]],
    run: ({ text, saved }) => {
      saved("WeirProbe.java", text);
      return ["sh", "-c", /^\/\/ (java .*)$/m.exec(text)?.[1] ?? ""];
    },
    version,
    fails: true,
    limit: LIMIT,
  });

  prove(test, {
    form: "java/environment#sh",
    skip: needs("java", "keytool"),
    before: ({ textOf }) => [["sh", "-c", textOf("java/keystore#sh")]],
    run: (place) => ["sh", "-c", `${place.text}\njava ${place.saved("Plain.java", plainProgram(place))}`],
    version,
    limit: LIMIT,
  });
});
