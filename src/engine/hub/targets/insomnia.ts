import { commandForms, plainForm } from "../forms.ts";
import type { Target, Values } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";
import { curlCommand } from "./curl.ts";

const proxySettings = (values: Values) => `Preferences > Proxy
Enable proxy: on
Proxy for HTTP: ${proxyUrl(values)}
Proxy for HTTPS: ${proxyUrl(values)}
No proxy: (empty)`;

/** It is all that Insomnia's curl is given, so it replaces the roots. */
const certificate = ({ bundle }: Values) => `Collection > Add Certificates > Add CA Certificate
PEM file: ${bundle}`;

export const insomnia: Target = {
  slug: "insomnia",
  name: "Insomnia",
  category: "API clients",
  summary: "Copy proxy and certificate by hand into Insomnia; a preflight with curl from the command line.",
  also: [],
  support: "Snippet + capture check",
  overview: {
    today:
      "Writes the values for Insomnia's preferences and a preflight for curl, each with the proxy's address and certificate of now, and watches for the request when you send it.",
    manual:
      "Entering the values in Insomnia, and sending the request. Neither the application nor its command-line runner was run here.",
    changes: "Insomnia's proxy preference and the certificates of one collection.",
    undo: "Turn the proxy off and remove the CA certificate from the collection.",
    needs: "Insomnia. The preflight uses curl.",
  },
  setup: (values) => [
    { text: "Open Preferences, Proxy, and enable it with this for http and https.", code: proxyUrl(values) },
    {
      text: "In the collection press Add Certificates (Manage Certificates where it has some), then Add CA Certificate.",
      code: values.bundle,
    },
    { text: "Send a request to the probe URL and confirm it in Validate.", code: values.url },
    {
      text: "To tell a wrong setting from a wrong network, run the preflight of Snippets: curl is given the same proxy.",
      code: null,
    },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "proxy-settings",
      title: "Proxy settings",
      place: "In Insomnia",
      language: "text",
      note: "Both begin with http://, whatever Insomnia's help says of the second. Older versions have them under General. Names as in its sources; not run here.",
      forms: [plainForm(null, proxySettings)],
    },
    {
      id: "ca-certificate",
      title: "CA certificate",
      place: "In Insomnia",
      language: "text",
      note: "It belongs to a collection: add it to each that you send from. It replaces the roots, so it is the bundle. Not run here.",
      forms: [plainForm(null, certificate)],
    },
    {
      id: "command-line-preflight",
      title: "curl",
      place: "Command-line preflight",
      language: "text",
      note: "When this is captured and Insomnia's request is not, the proxy is well and the setting is not.",
      forms: commandForms(curlCommand, { sh: "curl 7.88" }),
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Send GET to the probe URL from Insomnia, or run the preflight.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "Error: SSL peer certificate or SSH remote key was not OK",
      "Add weir-ca-bundle.pem as CA certificate to the collection you send from. This text was not seen here.",
    ),
    refused("Error: Couldn't connect to server"),
    bypassedByHand('The proxy preference may be off, or its "No proxy" list may hold the host.'),
    ...CERTIFICATE_TROUBLES,
  ],
};
