import { bypassed, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { environmentForms, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";

const proxySettings = ({ host, port }: Values) => `Preferences > Proxy
Mode: On
Protocol: HTTP
Hostname: ${host}
Port: ${port}
Proxy bypass: (empty)`;

const certificate = ({ ca }: Values) => `Preferences > General
Use custom CA certificate: on
File: ${ca}
Keep default CA certificates: on`;

const collection = () => `{
  "version": "1",
  "name": "Weir probe",
  "type": "collection"
}
`;

const request = ({ url }: Values) => `meta {
  name: probe
  type: http
  seq: 1
}

get {
  url: ${url}
  body: none
  auth: none
}
`;

export const bruno: Target = {
  slug: "bruno",
  name: "Bruno",
  category: "API clients",
  summary: "Send Bruno's requests through Weir; bru tests the proxy first, on the command line.",
  also: [],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes the values for Bruno's preferences and a preflight for its command-line runner with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Entering the values in Bruno, and sending the request. Only bru, its command-line runner, was run in Weir's tests.",
    changes: "Bruno's proxy and certificate preferences. The preflight's block affects only its terminal.",
    undo: `Turn both preferences off. ${UNDO_OF_BLOCK}`,
    needs: "Bruno. The preflight needs @usebruno/cli, an npm package.",
  },
  setup: (values) => [
    { text: "Open Preferences, Proxy, and set the mode to On.", code: `${values.host} ${values.port}` },
    {
      text: "Open Preferences, General, turn on the custom CA certificate, choose the file, and keep the default certificates.",
      code: values.ca,
    },
    { text: "Send a request to the probe URL and confirm the request in Validate.", code: values.url },
    "If the request fails, run the preflight from Snippets in a folder with its two files.",
  ],
  variants: [
    {
      id: "proxy-settings",
      title: "Proxy settings",
      heading: "In Bruno",
      language: "text",
      note: "The names are from Bruno's documentation. Weir's tests do not cover these settings.",
      forms: [plainForm(null, proxySettings)],
    },
    {
      id: "ca-certificate",
      title: "CA certificate",
      heading: "In Bruno",
      language: "text",
      note: "The names are from Bruno's documentation. Weir's tests do not cover these settings.",
      forms: [plainForm(null, certificate)],
    },
    {
      id: "collection",
      title: "bruno.json",
      heading: "A collection for the preflight",
      language: "json",
      note: "Save it under this name in the folder of the preflight.",
      inTest: true,
      forms: [plainForm("bru 4.1", collection)],
    },
    {
      id: "request",
      title: "probe.bru",
      heading: "A collection for the preflight",
      language: "text",
      note: "Save it under this name beside bruno.json.",
      forms: [plainForm("bru 4.1", request)],
    },
    {
      id: "command-line-preflight",
      title: "bru",
      heading: "Command-line preflight",
      language: "text",
      note: "--cacert adds Weir's root to the default roots.",
      inTest: true,
      forms: environmentForms({
        extra: [],
        command: (values, _, quote) => `bru run probe.bru --cacert ${quote(values.ca)}`,
        ran: { sh: "bru 4.1" },
      }),
    },
  ],
  probe: exactProbe("Send GET to the probe URL from Bruno, or run the preflight."),
  knownErrors: [
    untrusted(
      "self-signed certificate in certificate chain",
      "Turn on the custom CA certificate and choose weir-ca.pem. If you run bru, verify the path after --cacert.",
    ),
    refused("connect ECONNREFUSED 127.0.0.1:…"),
    bypassed("A collection's own proxy settings override the preferences."),
    ...CERTIFICATE_ERRORS,
  ],
};
