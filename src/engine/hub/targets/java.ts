import { literal } from "../../quoting/languages.ts";
import { isWindowsPath, quoted, quotedForWindows, type Shell } from "../../quoting/shell.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { commandForms, environmentForms, FROM_SHELL, plainForm, removal, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "java");

const STORE = "weir-cacerts";

/** The absolute path of the trust store, beside the certificate, so that it holds in every folder. */
function storeOf({ ca }: Values): string {
  return ca.slice(0, Math.max(ca.lastIndexOf("/"), ca.lastIndexOf("\\")) + 1) + STORE;
}

/** With slashes on Windows, too: in a Java source, even in a comment, a backslash and `u` begin an escape (JLS 3.3). */
function storeProperties(values: Values): readonly [store: string, password: string] {
  const store = storeOf(values);
  const path = isWindowsPath(store) ? store.replaceAll("\\", "/") : store;
  return [`-Djavax.net.ssl.trustStore=${path}`, "-Djavax.net.ssl.trustStorePassword=changeit"];
}

/**
 * The options that name the trust store. They are in quotes for every shell: PowerShell splits an unquoted word with a
 * leading hyphen at its first dot.
 */
export function storeOptions(values: Values): string {
  const quote = isWindowsPath(values.ca) ? quotedForWindows : inApostrophes;
  return storeProperties(values).map(quote).join(" ");
}

function inApostrophes(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The commands that copy the JDK's own store. The JDK stays unchanged, and the copy trusts the same roots. */
function copyOfStore(shell: Shell, store: string): string {
  switch (shell) {
    case "sh":
      return `cp "$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts" ${store}\nchmod u+w ${store}`;
    case "fish":
      return `cp (java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts ${store}\nchmod u+w ${store}`;
    case "powershell":
      return `Copy-Item "$env:JAVA_HOME\\lib\\security\\cacerts" ${store}`;
    case "cmd":
      return `copy "%JAVA_HOME%\\lib\\security\\cacerts" ${store}`;
  }
}

const httpClient = (values: Values) => `// WeirProbe.java:
// java ${storeOptions(values)} WeirProbe.java
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

/**
 * The value of JAVA_TOOL_OPTIONS, which the JVM splits at blanks outside quotes, wherever in a word the quotes begin.
 */
function properties(values: Values): string {
  const { host, port } = values;
  const [store, password] = storeProperties(values);
  const word = /[\s'"]/.test(store) ? `"${store.replaceAll('"', `"'"'"`)}"` : store;
  return `-Dhttp.proxyHost=${host} -Dhttp.proxyPort=${port} -Dhttps.proxyHost=${host} -Dhttps.proxyPort=${port} -Dhttp.nonProxyHosts= ${word} ${password}`;
}

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
    changes: `The keytool commands create one file beside Weir's certificate, ${STORE}: the JDK's store with Weir's root. The JDK's own store stays unchanged.`,
    undo: `Delete ${STORE} and start Java without the properties. ${UNDO_OF_BLOCK}`,
    needs: "A local JDK, 11 or newer, with keytool. On Windows, JAVA_HOME must name its folder.",
  },
  setup: (values) => [
    { text: "Check that a JDK is installed.", code: "java -version" },
    {
      text: "Copy the JDK's trust store and import Weir's root into the copy: \"Keystore import\" in Snippets.",
      code: values.ca,
    },
    { text: "Start Java with the copy.", code: storeOptions(values) },
    {
      text: "Set the proxy in the program or with properties. Empty http.nonProxyHosts, which applies to https too.",
      code: `${values.host} ${values.port}`,
    },
    {
      text: "Run the program and confirm the request in Validate.",
      code: `java ${storeOptions(values)} WeirProbe.java`,
    },
  ],
  userAgents: ["Java-http-client", "Java"],
  variants: [
    {
      id: "keystore",
      title: "Keystore import",
      heading: "Keystore import",
      language: "text",
      note: "Paste the commands once. The store is named by its full path, so Java may start in any folder. Before a second import, paste the undo line.",
      forms: commandForms(
        (values, shell, quote) =>
          `${copyOfStore(shell, quote(storeOf(values)))}\nkeytool -importcert -noprompt -alias weir -file ${quote(values.ca)} -keystore ${quote(storeOf(values))} -storepass changeit`,
        { sh: "OpenJDK 17", fish: "OpenJDK 17" },
        { undo: (shell, values) => removal(quoted(storeOf(values), shell), shell) },
      ),
    },
    {
      id: "httpclient",
      title: "HttpClient",
      heading: "In the program",
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
      `Import again, and check that javax.net.ssl.trustStore names the full path of ${STORE}, as in Snippets.`,
    ),
    {
      text: "keytool error: java.lang.Exception: Certificate not imported, alias <weir> already exists",
      meaning: "The copy already has a root of Weir, perhaps an older one.",
      fix: `Delete ${STORE} and paste the commands again.`,
    },
    {
      text: "java.security.InvalidAlgorithmParameterException: the trustAnchors parameter must be non-empty",
      meaning: "The file in javax.net.ssl.trustStore is missing, so Java trusts nothing.",
      fix: `Paste "Keystore import", and give Java the full path of ${STORE}.`,
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
