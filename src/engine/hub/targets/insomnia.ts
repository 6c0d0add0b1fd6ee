import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { commandForms, plainForm } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";
import { curlCommand } from "./curl.ts";

const proxySettings = (values: Values) => `Preferences > Proxy
Enable proxy: on
Proxy for HTTP: ${proxyUrl(values)}
Proxy for HTTPS: ${proxyUrl(values)}
No proxy: (empty)`;

/**
 * The steps that add the bundle. Weir's root alone is not enough, since the curl in Insomnia uses no roots besides this
 * file.
 */
const certificate = ({ bundle }: Values) => `Collection > Add Certificates > Add CA Certificate
PEM file: ${bundle}`;

export const insomnia: Target = {
  slug: "insomnia",
  name: "Insomnia",
  category: "API clients",
  summary: "Enter proxy and certificate in Insomnia by hand; curl tests the proxy first, on the command line.",
  also: [],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes the values for Insomnia's preferences and a preflight for curl with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Entering the values in Insomnia, and sending the request. Neither Insomnia nor its command-line runner was run in Weir's tests.",
    changes: "Insomnia's proxy preference and the certificates of one collection.",
    undo: "Turn the proxy off and remove the CA certificate from the collection.",
    needs: "Insomnia. The preflight uses curl.",
  },
  setup: (values) => [
    {
      text: "Open Preferences, Proxy, enable the proxy, and enter this URL for http and https.",
      code: proxyUrl(values),
    },
    {
      text: "In the collection press Add Certificates (Manage Certificates if it already has some), then Add CA Certificate.",
      code: values.bundle,
    },
    { text: "Send a request to the probe URL and confirm the request in Validate.", code: values.url },
    "If the request fails, run the preflight from Snippets, which uses the same proxy.",
  ],
  variants: [
    {
      id: "proxy-settings",
      title: "Proxy settings",
      heading: "In Insomnia",
      language: "text",
      note: "Both URLs start with http://, although Insomnia's help says otherwise for the second. Older versions have these settings under General. The names are from Insomnia's source code. Weir's tests do not cover these settings.",
      forms: [plainForm(null, proxySettings)],
    },
    {
      id: "ca-certificate",
      title: "CA certificate",
      heading: "In Insomnia",
      language: "text",
      note: "Each collection has its own certificates: add the file to each from which you send. Insomnia then trusts only that file, so choose the bundle: the system's roots and Weir's. Not run in Weir's tests.",
      forms: [plainForm(null, certificate)],
    },
    {
      id: "command-line-preflight",
      title: "curl",
      heading: "Command-line preflight",
      language: "text",
      note: "If Weir captures this request but not Insomnia's, the proxy works and Insomnia's setting does not.",
      forms: commandForms(curlCommand, { sh: "curl 7.88" }),
    },
  ],
  probe: exactProbe("Send GET to the probe URL from Insomnia, or run the preflight."),
  knownErrors: [
    untrusted(
      "Error: SSL peer certificate or SSH remote key was not OK",
      "Add weir-ca-bundle.pem as CA certificate to the collection you send from. This error was not seen in Weir's tests.",
    ),
    refused("Error: Couldn't connect to server"),
    bypassedByHand('The proxy preference may be off, or its "No proxy" list may name the host.'),
    ...CERTIFICATE_ERRORS,
  ],
};
