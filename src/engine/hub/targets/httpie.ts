import { commandForms } from "../forms.ts";
import type { Target } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { bypassed, CERTIFICATE_TROUBLES, DIRECT, missing, misspelt, refused, untrusted } from "../troubles.ts";

export const httpie: Target = {
  slug: "httpie",
  name: "HTTPie",
  category: "Command line",
  summary: "Send one request of the Python command-line HTTP client through Weir.",
  also: [],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes the command with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the command into a terminal.",
    changes: "Nothing.",
    undo: "Nothing to undo.",
    needs: "HTTPie 3 (the commands http and https).",
  },
  setup: (values) => [
    { text: "Name the proxy once for each scheme.", code: `--proxy https:${proxyUrl(values)}` },
    { text: "--verify replaces what HTTPie trusts: give it the bundle.", code: values.bundle },
    { text: "Copy the command, run it, and confirm it in Validate.", code: null },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "command",
      title: "Command",
      place: "One request",
      language: "text",
      note: "--verify replaces the roots, so it points at the bundle.",
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
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the command. It asks for the probe URL once.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] …",
      "Copy the command again and check the path in --verify.",
    ),
    refused(
      "ProxyError('Cannot connect to proxy.', NewConnectionError(… / ProxyError('Unable to connect to proxy', NewConnectionError(…",
    ),
    misspelt("Your proxy appears to only use HTTP and not HTTPS / SOCKS5 proxy server sent invalid data"),
    DIRECT,
    missing("OSError: Could not find a suitable TLS CA certificate bundle, invalid path: …"),
    bypassed(
      "A --session or a config file of yours may hold other options, and an inherited NO_PROXY wins over the rest.",
      "Name or service not known / Couldn’t resolve the given hostname.",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
