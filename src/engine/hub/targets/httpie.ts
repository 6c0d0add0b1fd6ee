import { bypassed, CERTIFICATE_ERRORS, DIRECT, missing, misspelt, refused, untrusted } from "../known-errors.ts";
import { commandForms } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target } from "../target.ts";

export const httpie: Target = {
  slug: "httpie",
  name: "HTTPie",
  category: "Command line",
  summary: "Send one request of HTTPie, the command-line client in Python, through Weir.",
  also: [],
  support: "Proven when the tool is present",
  overview: {
    today: "Weir writes the command with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the command into a terminal.",
    changes: "Nothing.",
    undo: "Nothing to undo.",
    needs: "HTTPie 3 (the commands http and https).",
  },
  setup: (values) => [
    { text: "Set the proxy once per scheme.", code: `--proxy https:${proxyUrl(values)}` },
    {
      text: "--verify replaces the roots that HTTPie trusts. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    "Copy the command, run it, and confirm the request in Validate.",
  ],
  userAgents: ["HTTPie"],
  variants: [
    {
      id: "command",
      title: "Command",
      heading: "One request",
      language: "text",
      note: "--verify replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      forms: commandForms(
        (values, _, quote) =>
          [
            `http --ignore-stdin --proxy ${quote(`http:${proxyUrl(values)}`)} --proxy ${quote(`https:${proxyUrl(values)}`)}`,
            `--verify ${quote(values.bundle)} GET ${quote(values.url)}`,
          ].join(" "),
        { sh: "HTTPie 3.2", fish: "HTTPie 3.2" },
      ),
    },
  ],
  probe: exactProbe("Run the command. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] …",
      "Copy the command again and check the path in --verify.",
    ),
    refused(
      "ProxyError('Cannot connect to proxy.', NewConnectionError(… / ProxyError('Unable to connect to proxy', NewConnectionError(…",
    ),
    misspelt("Your proxy appears to only use HTTP and not HTTPS"),
    DIRECT,
    missing("OSError: Could not find a suitable TLS CA certificate bundle, invalid path: …"),
    bypassed(
      "Your --session or config file may set other options, and an inherited NO_PROXY overrides the proxy setting.",
      "Name or service not known / Couldn’t resolve the given hostname.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
