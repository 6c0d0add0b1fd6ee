import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { commandForms, plainForm } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";
import { curlCommand } from "./curl.ts";

const systemProxy = ({ host, port }: Values) => `System Settings > Network > (your network) > Details > Proxies
Web proxy (HTTP): on, ${host}, ${port}
Secure web proxy (HTTPS): on, ${host}, ${port}
Bypass proxy settings for these hosts: (empty)`;

const keychainTrust = ({ ca }: Values) => `Keychain Access > login > Certificates > File > Import Items
File: ${ca}
Open Weir there > Trust > When using this certificate: Always Trust`;

export const rapidapiMac: Target = {
  slug: "rapidapi-mac",
  name: "RapidAPI for Mac",
  category: "API clients",
  summary: "Send RapidAPI's (formerly Paw) requests through Weir with the Mac's proxy and keychain.",
  also: ["macOS"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes the values for the Mac's network settings and keychain and a preflight for curl. Weir watches for the probe. Weir only reads whether the Mac trusts the certificate.",
    manual:
      "Entering the proxy in System Settings, trusting the certificate in Keychain Access, and sending the request. Not run in Weir's tests.",
    changes: "The proxy of one of the Mac's networks, for all programs, and your login keychain.",
    undo: "Turn both proxies off in System Settings and delete Weir in Keychain Access. If the proxy stays on without Weir, other programs cannot reach the web.",
    needs: "macOS and RapidAPI for Mac. The preflight uses curl.",
  },
  setup: (values) => [
    "Open System Settings, Network, your network, Details, Proxies.",
    { text: "Turn on Web proxy and Secure web proxy with this host and port.", code: `${values.host} ${values.port}` },
    { text: "Import the file into the login keychain, open it there and set Trust to Always Trust.", code: values.ca },
    { text: "Send a request to the probe URL and confirm the request in Validate.", code: values.url },
    "Turn the proxies off when you are done.",
  ],
  variants: [
    {
      id: "system-proxy",
      title: "System proxy",
      heading: "On the Mac",
      language: "text",
      note: "While the proxy is on, it applies to all programs on this Mac that use this network. Weir's tests do not cover this setting.",
      forms: [plainForm(null, systemProxy)],
    },
    {
      id: "keychain-trust",
      title: "Keychain trust",
      heading: "On the Mac",
      language: "text",
      note: "The certificate goes only into your login keychain. Not run in Weir's tests.",
      forms: [plainForm(null, keychainTrust)],
    },
    {
      id: "command-line-preflight",
      title: "curl",
      heading: "Command-line preflight",
      language: "text",
      note: "If Weir captures this request but not RapidAPI's, the proxy works, but the Mac's proxy setting does not.",
      forms: commandForms(curlCommand, { sh: "curl 7.88" }).filter(
        (form) => form.shell === "sh" || form.shell === "fish",
      ),
    },
  ],
  probe: exactProbe("Send GET to the probe URL from RapidAPI, or run the preflight."),
  trust: {
    kind: "system-store",
    platforms: ["darwin"],
    elsewhere: "RapidAPI for Mac runs on macOS only.",
  },
  knownErrors: [
    untrusted(
      "The certificate for this server is invalid",
      "Set Trust to Always Trust for Weir in Keychain Access, then restart RapidAPI. This error was not seen in Weir's tests.",
    ),
    refused("A connection to the proxy could not be made"),
    bypassedByHand("Each network (Wi-Fi, Ethernet) has its own proxy settings, and a VPN may set another proxy."),
    ...CERTIFICATE_ERRORS,
  ],
};
