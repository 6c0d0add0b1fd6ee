import { literal } from "../../quoting/languages.ts";
import type { Shell } from "../../quoting/shell.ts";
import { commandForms, environmentForms, FROM_SHELL, plainForm, removal, UNDO_OF_BLOCK } from "../forms.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import type { Target, Values } from "../target.ts";
import { exactProbe } from "../target.ts";

const text = (value: string) => literal(value, "java");

export const STORE = "weir-cacerts";
const STORE_PROPERTIES = [`-Djavax.net.ssl.trustStore=${STORE}`, "-Djavax.net.ssl.trustStorePassword=changeit"];

/**
 * The options that name the trust store. They are in quotes for every shell: PowerShell splits an unquoted word with a
 * leading hyphen at its first dot.
 */
export const STORE_OPTIONS = STORE_PROPERTIES.map((property) => `"${property}"`).join(" ");

/** The commands that copy the JDK's own store. The JDK stays unchanged, and the copy trusts the same roots. */
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
  summary: "Import the root into a copy of the JDK's trust store, and send HttpClient's requests through Weir.",
  also: ["JVM", "Kotlin", "Scala", "Spring Boot", "springboot", "Gradle", "Maven", "OkHttp"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes the keytool commands, an HttpClient program and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Running keytool, pasting the code or the block, and starting Java with the two trust store properties.",
    changes: `The keytool commands create one file in the current folder, ${STORE}: the JDK's store with Weir's root. The JDK's own store stays unchanged.`,
    undo: `Delete ${STORE} and start Java without the properties. ${UNDO_OF_BLOCK}`,
    needs: "A local JDK, 11 or newer, with keytool. On Windows, JAVA_HOME must name its folder.",
  },
  setup: (values) => [
    { text: "Check that a JDK is installed.", code: "java -version" },
    {
      text: "Copy the JDK's trust store and import Weir's root into the copy: \"Keystore import\" in Snippets.",
      code: values.ca,
    },
    { text: "Start Java with the copy.", code: STORE_OPTIONS },
    {
      text: "Set the proxy in the program or with properties. Empty http.nonProxyHosts, which applies to https too.",
      code: `${values.host} ${values.port}`,
    },
    { text: "Run the program and confirm the request in Validate.", code: `java ${STORE_OPTIONS} WeirProbe.java` },
  ],
  variants: [
    {
      id: "keystore",
      title: "Keystore import",
      place: "Keystore import",
      language: "text",
      note: "Paste the commands once, in the folder where Java starts. Before a second import, delete the file.",
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
      ...FROM_SHELL,
      title: "JAVA_TOOL_OPTIONS",
      note: 'Every Java program of this terminal gets these properties, build tools included. The trust store comes from "Keystore import".',
      forms: environmentForms({
        extra: [["JAVA_TOOL_OPTIONS", properties]],
        command: null,
        ran: { sh: "OpenJDK 17" },
      }),
    },
  ],
  probe: exactProbe('Run the HttpClient program with the trust store from "Keystore import".'),
  knownErrors: [
    untrusted(
      "javax.net.ssl.SSLHandshakeException: … PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target",
      `Import again, and check that javax.net.ssl.trustStore names ${STORE} in the folder where Java runs.`,
    ),
    {
      text: "keytool error: java.lang.Exception: Certificate not imported, alias <weir> already exists",
      meaning: "The copy already has a root of Weir, perhaps an older one.",
      fix: `Delete ${STORE} and paste the commands again.`,
    },
    {
      text: "java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty",
      meaning: "The file in javax.net.ssl.trustStore is missing, so Java trusts nothing.",
      fix: `Start Java in the folder of ${STORE}, or give its full path.`,
    },
    refused("java.net.ConnectException / Failed to connect to /127.0.0.1:…"),
    missing("keytool error: java.io.FileNotFoundException: … (No such file or directory)"),
    bypassed(
      "localhost and 127.x bypass the proxy unless http.nonProxyHosts is empty, and HttpClient.newHttpClient() reads the properties only through the default ProxySelector.",
      "java.nio.channels.UnresolvedAddressException",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
