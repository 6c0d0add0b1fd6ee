import { hostPort } from "../../model/host-port.ts";
import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, DIRECT, missing, refused, untrusted } from "../known-errors.ts";
import { type CommandText, commandForms, plainForm, program } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";
import { nothing, unglobbed } from "./curl.ts";
import { storeOptions } from "./java.ts";

const curlCommand: CommandText = (values, shell, quote) =>
  [
    `${program("curl", shell)} --socks5-hostname ${quote(hostPort(values.host, values.port))} --noproxy ${nothing(shell)}`,
    `--cacert ${quote(values.bundle)}${unglobbed(values.url)} ${quote(values.url)}`,
  ].join(" ");

const pythonText = (value: string) => literal(value, "python");
const javaText = (value: string) => literal(value, "java");

/** With `socks5h` instead of `socks5`, the proxy resolves host names. */
const socksUrl = (values: Values) => `socks5h://${hostPort(values.host, values.port)}`;

const requests = (values: Values) => `import requests

session = requests.Session()
session.trust_env = False
session.proxies = {"http": ${pythonText(socksUrl(values))}, "https": ${pythonText(socksUrl(values))}}
session.verify = ${pythonText(values.bundle)}
print(session.get(${pythonText(values.url)}, timeout=15).status_code)
`;

const javaProgram = (values: Values) => `// WeirProbe.java:
// java "-DsocksProxyHost=${values.host}" "-DsocksProxyPort=${values.port}" ${storeOptions(values)} WeirProbe.java
import java.net.HttpURLConnection;
import java.net.URL;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var connection = (HttpURLConnection) new URL(${javaText(values.url)}).openConnection();
        System.out.println(connection.getResponseCode());
    }
}
`;

export const socks: Target = {
  slug: "socks",
  name: "SOCKS 5",
  category: "Without an HTTP proxy setting",
  summary: "For a client that has only a SOCKS setting: send its requests through Weir.",
  also: ["SOCKS5", "socks5h", "PySocks", "socksProxyHost"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir's port also speaks SOCKS 5 (RFC 1928): CONNECT, without a password, for host names, IPv4 and IPv6. Weir writes a curl command, Python code and a Java program with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Entering host and port in the client, or pasting the snippet.",
    changes: "The command changes nothing. The code changes only your program.",
    undo: "Remove the SOCKS setting from the client.",
    needs:
      "A client that speaks SOCKS 5; SOCKS 4 is refused. Python's requests library needs PySocks. Java needs a trust store with Weir's root: see the target Java. Java's java.net.http.HttpClient does not support SOCKS.",
  },
  setup: (values) => [
    {
      text: "Enter host and port as a proxy of type SOCKS 5, without user name and password.",
      code: hostPort(values.host, values.port),
    },
    {
      text: "If the client asks who resolves names, choose the proxy. In a proxy URL, use the scheme socks5h.",
      code: socksUrl(values),
    },
    {
      text: "A setting that replaces the trusted roots needs the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "A setting that adds to the trusted roots needs Weir's root alone.", code: values.ca },
    "Send a request, and confirm the request in Validate.",
  ],
  variants: [
    {
      id: "curl",
      title: "curl",
      heading: "One request",
      language: "text",
      note: "--socks5-hostname lets Weir resolve the name; with --socks5, curl would resolve the name itself. --cacert replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      forms: commandForms(curlCommand, { sh: "curl 7.88", fish: "curl 7.88" }),
    },
    {
      id: "requests",
      title: "Python, requests",
      heading: "In the program",
      language: "python",
      note: "The code needs PySocks: pip install 'requests[socks]', or python3-socks in Debian. The argument verify replaces the roots that requests trusts, so it names the bundle: the system's roots and Weir's.",
      forms: [plainForm("requests 2.28", requests)],
    },
    {
      id: "java",
      title: "Java, HttpURLConnection",
      heading: "In the program",
      language: "java",
      note: 'The trust store comes from "Keystore import" of the Java page. The properties apply to every plain socket of the program, and not to java.net.http.HttpClient.',
      forms: [plainForm("OpenJDK 17", javaProgram)],
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain / certificate verify failed: self-signed certificate in certificate chain / PKIX path building failed: …",
      "Copy the snippet again, and check that the client uses the exported file.",
    ),
    refused(
      "curl: (7) Failed to connect to 127.0.0.1 port … / Failed to establish a new connection: [Errno …] Connection refused / java.net.SocketException: Connection refused",
    ),
    {
      text: "Can't complete SOCKS4 connection / 0x5b: Request rejected or failed",
      meaning: "The client speaks SOCKS 4. Weir speaks SOCKS 5 only.",
      fix: "Choose SOCKS 5 in the client, or a URL with the scheme socks5h.",
    },
    {
      text: "Can't complete SOCKS5 connection to …. (5) / 0x05: Connection refused / SOCKS: Connection refused",
      meaning:
        "This host passes through Weir undecrypted, and nothing listens on the server's port. The row in Traffic says so.",
      fix: "Check the URL's host and port.",
    },
    {
      text: "Can't complete SOCKS5 connection to …. (4) / 0x04: Host unreachable / SOCKS: Host unreachable",
      meaning:
        "This host passes through Weir undecrypted, and the host has no address or cannot be reached. The row in Traffic says which.",
      fix: "Check the URL's host, and this computer's network.",
    },
    {
      text: "Missing dependencies for SOCKS support",
      meaning: "Python's requests library needs PySocks, which is not installed.",
      fix: "Install it: pip install 'requests[socks]', or python3-socks in Debian.",
    },
    missing("Could not find a suitable TLS CA certificate bundle, invalid path: …"),
    DIRECT,
    bypassed(
      "Java bypasses a SOCKS proxy for localhost and 127.x. With --socks5 or the scheme socks5, curl resolves names without Weir.",
      "Could not resolve host: … / Name or service not known",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
