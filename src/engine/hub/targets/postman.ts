import { literal } from "../../quoting/languages.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { environmentForms, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";

const COLLECTION = "weir-probe.postman_collection.json";

const proxySettings = ({ host, port }: Values) => `Settings > Proxy
Use custom proxy configuration: on
Proxy type: HTTP and HTTPS
Proxy server: ${host}
Port: ${port}
Proxy bypass: (empty)`;

const certificate = ({ ca }: Values) => `Settings > Certificates
CA certificates: on
PEM file: ${ca}`;

const collection = ({ url }: Values) => `{
  "info": {
    "name": "Weir probe",
    "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
  },
  "item": [{ "name": "probe", "request": { "method": "GET", "url": ${literal(url, "json")} } }]
}
`;

export const postman: Target = {
  slug: "postman",
  name: "Postman",
  category: "API clients",
  summary: "Test the proxy with newman on the command line, then send Postman's requests through Weir.",
  also: [],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes the values for Postman's settings and a preflight for newman with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Entering the values in Postman, and sending the request. Only newman, its command-line runner, was run in Weir's tests.",
    changes: "Postman's proxy and certificate settings. The preflight's block affects only its terminal.",
    undo: `Turn both settings off. ${UNDO_OF_BLOCK}`,
    needs:
      "Postman for the desktop (the web version sends from its own agent). The preflight needs newman 6, an npm package.",
  },
  setup: (values) => [
    { text: "Open Settings, Proxy, and turn on the custom proxy.", code: `${values.host} ${values.port}` },
    { text: "Open Settings, Certificates, turn on CA certificates and choose the file.", code: values.ca },
    { text: "Send a request to the probe URL and confirm the request in Validate.", code: values.url },
    "If the request fails, run the preflight from Snippets, which uses the same proxy and file.",
  ],
  variants: [
    {
      id: "proxy-settings",
      title: "Proxy settings",
      heading: "In Postman",
      language: "text",
      note: "The names are from Postman's documentation. Weir's tests do not cover these settings.",
      forms: [plainForm(null, proxySettings)],
    },
    {
      id: "ca-certificate",
      title: "CA certificate",
      heading: "In Postman",
      language: "text",
      note: "The names are from Postman's documentation. Weir's tests do not cover these settings.",
      forms: [plainForm(null, certificate)],
    },
    {
      id: "collection",
      title: COLLECTION,
      heading: "A collection for the preflight",
      language: "json",
      note: "Save it under this name in the folder of the preflight.",
      forms: [plainForm("newman 6.2", collection)],
    },
    {
      id: "command-line-preflight",
      title: "newman",
      heading: "Command-line preflight",
      language: "text",
      note: "newman takes the proxy from the environment only. --ssl-extra-ca-certs adds Weir's root.",
      inTest: true,
      forms: environmentForms({
        extra: [],
        command: (values, _, quote) => `newman run ${COLLECTION} --ssl-extra-ca-certs ${quote(values.ca)}`,
        ran: { sh: "newman 6.2" },
      }),
    },
  ],
  probe: exactProbe("Send GET to the probe URL from Postman, or run the preflight."),
  knownErrors: [
    untrusted(
      "self-signed certificate in certificate chain",
      "Turn on CA certificates and choose weir-ca.pem. For newman check the path after --ssl-extra-ca-certs.",
    ),
    refused("tunneling socket could not be established, cause=connect ECONNREFUSED 127.0.0.1:…"),
    bypassedByHand(
      "Postman's web version and cloud agent do not send from this computer, and its proxy bypass list excludes hosts.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
