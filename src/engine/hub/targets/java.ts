import { literal } from "../../quoting/languages.ts";
import type { Shell } from "../../quoting/shell.ts";
import { commandForms, environmentForms, plainForm, removal, UNDO_OF_BLOCK } from "../forms.ts";
import type { Target, Values } from "../target.ts";
import { SHORT_LIMIT } from "../target.ts";
import { bypassed, CERTIFICATE_TROUBLES, missing, refused, untrusted } from "../troubles.ts";

const text = (value: string) => literal(value, "java");

const STORE = "weir-cacerts";
const STORE_PROPERTIES = [`-Djavax.net.ssl.trustStore=${STORE}`, "-Djavax.net.ssl.trustStorePassword=changeit"];

/** As every shell takes them: PowerShell parts a word at its first dot where it begins with a bare hyphen. */
const STORE_OPTIONS = STORE_PROPERTIES.map((property) => `"${property}"`).join(" ");

/** The JDK's own store is copied, so the JDK stays as it is and the copy trusts what it trusts. */
function copyOfStore(shell: Shell): string {
  switch (shell) {
    case "sh":
      return `cp "$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts" ${STORE}\nchmod u+w ${STORE}`;
    case "fish":
      return `cp (java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts ${STORE}\nchmod u+w ${STORE}`;
    case "powershell":
      return `Copy-Item "$env:JAVA_HOME\\lib\\security\\cacerts" ${STORE}`;
    case "cmd":
      return `copy "%JAVA_HOME%\\lib\\security\\cacerts" ${STORE}`;
  }
}

const httpClient = (values: Values) => `// WeirProbe.java, to be run in the folder of ${STORE}:
// java ${STORE_OPTIONS} WeirProbe.java
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var proxy = ProxySelector.of(new InetSocketAddress(${text(values.host)}, ${values.port}));
        var client = HttpClient.newBuilder().proxy(proxy).build();
        var request = HttpRequest.newBuilder(URI.create(${text(values.url)})).build();
        System.out.println(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
}
`;

const properties = ({ host, port }: Values) =>
  `-Dhttp.proxyHost=${host} -Dhttp.proxyPort=${port} -Dhttps.proxyHost=${host} -Dhttps.proxyPort=${port} -Dhttp.nonProxyHosts= ${STORE_PROPERTIES.join(" ")}`;

export const java: Target = {
  slug: "java",
  name: "Java",
  category: "Runtimes",
  summary: "Import into a copy of the JDK's trust store, and send what HttpClient requests through Weir.",
  also: ["JVM", "Kotlin", "Scala", "Spring Boot", "springboot", "Gradle", "Maven", "OkHttp"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Writes the keytool commands, an HttpClient program and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Running keytool, pasting the code or the block, and starting Java with the two trust store properties.",
    changes: `The keytool commands make one file, ${STORE}, in the current folder: a copy of the JDK's store with Weir's root in it. The JDK's own store stays as it is.`,
    undo: `Delete ${STORE} and start Java without the properties. ${UNDO_OF_BLOCK}`,
    needs:
      "A local JDK, 11 or newer: keytool and the single-file launch of java come with it. On Windows JAVA_HOME must name its folder.",
  },
  setup: (values) => [
    { text: "See that a JDK is there.", code: "java -version" },
    {
      text: "Copy the JDK's trust store and import Weir's root into the copy: \"Keystore import\" in Snippets.",
      code: values.ca,
    },
    { text: "Start Java with the copy.", code: STORE_OPTIONS },
    {
      text: "Name the proxy in the program, or by properties. One property, http.nonProxyHosts, serves https too; empty it.",
      code: `${values.host} ${values.port}`,
    },
    { text: "Run the program and confirm it in Validate.", code: `java ${STORE_OPTIONS} WeirProbe.java` },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "keystore",
      title: "Keystore import",
      place: "Keystore import",
      language: "text",
      note: "Paste it once, in the folder from which Java is started. A second import under the same alias fails: delete the file first.",
      forms: commandForms(
        (values, shell, quote) =>
          `${copyOfStore(shell)}\nkeytool -importcert -noprompt -alias weir -file ${quote(values.ca)} -keystore ${STORE} -storepass changeit`,
        { sh: "OpenJDK 17", fish: "OpenJDK 17" },
        { undo: (shell) => removal(STORE, shell) },
      ),
    },
    {
      id: "httpclient",
      title: "HttpClient",
      place: "In the program",
      language: "java",
      note: 'The trust store comes from "Keystore import" and is named on the command line.',
      forms: [plainForm("OpenJDK 17", httpClient, "Java 11 and newer")],
    },
    {
      id: "environment",
      title: "JAVA_TOOL_OPTIONS",
      place: "From the shell, without touching code",
      language: "text",
      note: 'Every Java program that is started in this terminal takes these properties, build tools included. The trust store comes from "Keystore import".',
      forms: environmentForms({
        extra: [["JAVA_TOOL_OPTIONS", properties]],
        command: null,
        ran: { sh: "OpenJDK 17" },
      }),
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the HttpClient program with the trust store of the import.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "javax.net.ssl.SSLHandshakeException: … PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
      `Import again, and see that javax.net.ssl.trustStore names ${STORE} from the folder in which Java runs.`,
    ),
    {
      text: "keytool error: java.lang.Exception: Certificate not imported, alias <weir> already exists",
      meaning: "The copy holds a root of Weir already, perhaps an older one.",
      fix: `Delete ${STORE} and paste the commands again.`,
    },
    {
      text: "java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty",
      meaning: "The file that javax.net.ssl.trustStore names is not there, so Java trusts nothing.",
      fix: `Start Java in the folder of ${STORE}, or write its whole path.`,
    },
    refused("java.net.ConnectException / Failed to connect to /127.0.0.1:…"),
    missing("keytool error: java.io.FileNotFoundException: … (No such file or directory)"),
    bypassed(
      "localhost and 127.x go directly unless http.nonProxyHosts is empty, and HttpClient.newHttpClient() reads the properties only through the default ProxySelector.",
      "java.nio.channels.UnresolvedAddressException",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
