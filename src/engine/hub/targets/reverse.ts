import { reverseUrl } from "../../model/reverse-port.ts";
import { literal } from "../../quoting/languages.ts";
import { bypassed, REQUEST_ERRORS } from "../known-errors.ts";
import { type CommandText, commandForms, plainForm, program } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

/** The entry of the setting that opens the reverse port for the URL's origin. */
function entryOf({ reverse, url }: Values): string {
  return `${reverse}=${/^\w+:\/\/[^/?#]*/.exec(url)?.[0] ?? url}`;
}

/** The URL, with the address of the reverse port in place of the origin. */
export function reversedUrl({ reverse, url }: Values): string {
  return reverseUrl(reverse) + url.replace(/^\w+:\/\/[^/?#]*/, "");
}

const curlCommand: CommandText = (values, shell, quote) =>
  `${program("curl", shell)} --noproxy ${quote("*")}${unglobbed(values.url)} ${quote(reversedUrl(values))}`;

const python = (values: Values) => `import urllib.request

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print(opener.open(${literal(reversedUrl(values), "python")}, timeout=15).status)
`;

const java = (values: Values) => `// WeirProbe.java
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class WeirProbe {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${literal(reversedUrl(values), "java")})).build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
        System.out.println(response.statusCode());
    }
}
`;

export const reverse: Target = {
  slug: "reverse",
  name: "Reverse port",
  category: "Without an HTTP proxy setting",
  summary: "For a client that has no proxy setting: give it a local URL in place of the server's.",
  also: ["reverse proxy", "base URL", "localhost"],
  support: "Proven end-to-end",
  overview: {
    today:
      "A reverse port is a local port that forwards to one origin; its requests are recorded like all others. Weir writes a curl command, Python code and a Java program with the port's URL, and watches for the request.",
    manual: "Adding the port in Settings or on the command line, and giving the client its URL.",
    changes: "One line of Weir's settings; nothing if the port is given on the command line.",
    undo: "Remove the line from Settings, and give the client the server's URL again.",
    needs: "A client whose server URL can be set. It needs no certificate, since it speaks http to the port.",
  },
  setup: (values) => [
    {
      text: "In Settings, Proxy, Reverse ports, add a line with a port and the server's origin.",
      code: entryOf(values),
    },
    { text: "Or name the reverse port when you start Weir.", code: `weir start --reverse ${entryOf(values)}` },
    {
      text: "Give the client this URL in place of the origin; path and query stay.",
      code: reverseUrl(values.reverse),
    },
    "The origin's redirects and cookies are changed to fit the reverse port. Redirects to other origins, and URLs in bodies, bypass the reverse port.",
    "Send a request, and confirm the request in Validate.",
  ],
  variants: [
    {
      id: "curl",
      title: "curl",
      heading: "One request",
      language: "text",
      note: "--noproxy '*' ignores proxy variables, because Weir's proxy refuses requests to Weir's own ports.",
      forms: commandForms(curlCommand, { sh: "curl 7.88", fish: "curl 7.88" }),
    },
    {
      id: "python",
      title: "Python, urllib",
      heading: "In the program",
      language: "python",
      note: "The empty ProxyHandler ignores proxy variables.",
      forms: [plainForm("Python 3.11", python)],
    },
    {
      id: "java",
      title: "Java, HttpClient",
      heading: "In the program",
      language: "java",
      note: null,
      forms: [plainForm("OpenJDK 17", java, "Java 11 and newer")],
    },
  ],
  probe: exactProbe(
    "Add the reverse port as described in Setup, then run a snippet. The snippet requests the probe URL's path at that port.",
  ),
  trust: { kind: "no-certificate", why: "Not needed: the client speaks http to the reverse port." },
  knownErrors: [
    {
      text: "curl: (7) Failed to connect to 127.0.0.1 port … / <urlopen error [Errno …] Connection refused> / java.net.ConnectException",
      meaning: "Nothing listens at the reverse port. The port is not in Settings, or the proxy is stopped.",
      fix: "Add the line shown in Setup, and start the proxy. If the port is taken, a notice says so; choose another port.",
    },
    {
      text: "A request to a reverse port was refused. Its Host is not this computer's loopback.",
      meaning: "The client uses another name for this computer. Web pages could use such a name to reach the origin.",
      fix: "Use 127.0.0.1 or localhost in the client's URL.",
    },
    {
      text: "A request to a reverse port was refused. Its Origin is another site.",
      meaning: "A web page of another site sent the request. Only pages of this computer may use a reverse port.",
      fix: "Open the page from localhost or 127.0.0.1.",
    },
    {
      text: "so the request target must be a path",
      meaning: "The client uses the reverse port as its proxy.",
      fix: "Empty the client's proxy setting, and give it the port's URL in place of the server's.",
    },
    {
      text: "Cause: loop-refused",
      meaning: "The client requested the reverse port through Weir's proxy, or the port's origin is Weir itself.",
      fix: "Use either the proxy or the reverse port: exclude 127.0.0.1 from the client's proxy.",
    },
    {
      text: "wrong version number / Unsupported or unrecognized SSL message",
      meaning: "The client speaks https to the reverse port, which speaks http.",
      fix: "Begin the client's URL with http://. Weir speaks https to the origin.",
    },
    {
      text: "The user is not logged in, although a login succeeded",
      meaning:
        "The client refused a cookie. Weir keeps the attribute Secure where browsers require it: with SameSite=None, Partitioned, __Host- or __Secure-.",
      fix: "Use http://localhost in a browser, which accepts such cookies from localhost. Other clients need the proxy.",
    },
    {
      ...bypassed("The client still has the server's URL, or followed a redirect to another origin."),
      fix: "Compare the client's URL with the reverse port's. Add a reverse port for the other origin, too.",
    },
    ...REQUEST_ERRORS,
  ],
};
