import { literal } from "../../quoting/languages.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { commandForms, plainForm, removal } from "../snippet-forms.ts";
import { SHORT_LIMIT, type Target, type Values } from "../target.ts";

const PROFILE = "weir-firefox";

const dialog = ({ host, port }: Values) => `Manual proxy configuration
HTTP Proxy: ${host}
Port: ${port}
Also use this proxy for HTTPS: on
No proxy for: (empty)`;

const userJs = ({ host, port }: Values) => `user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", ${literal(host, "javascript")});
user_pref("network.proxy.http_port", ${port});
user_pref("network.proxy.ssl", ${literal(host, "javascript")});
user_pref("network.proxy.ssl_port", ${port});
user_pref("network.proxy.no_proxies_on", "");
user_pref("network.proxy.allow_hijacking_localhost", true);
`;

const importSteps = ({
  ca,
}: Values) => `Settings > Privacy and security > Certificates > Manage certificates > Authorities > Import
File: ${ca}
Trust this CA to identify websites: on`;

const localhostProbe = ({ port }: Values) => `about:config
network.proxy.allow_hijacking_localhost = true

Then open:
http://localhost:${port}/anything/weir/firefox`;

export const firefox: Target = {
  slug: "firefox",
  name: "Firefox",
  category: "Browsers",
  summary: "Point Firefox at Weir with its own proxy settings and authority store.",
  also: ["Mozilla"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes the values for Firefox's settings, the same values as preferences of a separate profile, and the import of the certificate. Weir watches for the page you open.",
    manual:
      "Entering the proxy, importing the certificate, and opening the probe URL. Weir reads and writes no Firefox profile.",
    changes: "The proxy settings and authority store of one Firefox profile.",
    undo: 'Set the proxy to "Use system proxy settings", and delete Weir under Authorities. Or delete the folder of the separate profile.',
    needs: "Firefox. For the separate profile on Linux also certutil (Debian: libnss3-tools).",
  },
  setup: (values) => [
    'Open Settings, search for "proxy" and choose Configure proxy (in older versions Settings… under Network Settings).',
    { text: "Choose Manual proxy configuration and enter host and port.", code: `${values.host} ${values.port}` },
    'Turn on "Also use this proxy for HTTPS" and empty "No proxy for".',
    {
      text: 'Search for "certificates", choose Manage certificates (in older versions View Certificates), Authorities, Import, and choose the file.',
      code: values.ca,
    },
    'Turn on "Trust this CA to identify websites".',
    "Confirm the request in Validate. If your network cannot reach the probe host, use the localhost probe from Snippets.",
  ],
  userAgents: ["Firefox"],
  variants: [
    {
      id: "network-settings",
      title: "Network settings",
      heading: "The proxy",
      language: "text",
      note: "Enter the proxy in your profile. Or start a separate profile with firefox --profile, and put the second form in its user.js. Only the second form was run in Weir's tests.",
      forms: [
        plainForm(null, dialog, "Settings window"),
        plainForm("Firefox 153", userJs, "user.js of a separate profile"),
      ],
    },
    {
      id: "authority-import",
      title: "Authority import",
      heading: "The certificate",
      language: "text",
      note: "Firefox has its own store. The command lines create a separate profile with Weir's root. Only these lines were run in Weir's tests.",
      forms: [
        plainForm(null, importSteps, "Settings window"),
        ...commandForms(
          (values, _, quote) =>
            [
              `mkdir ${PROFILE}`,
              `certutil -N --empty-password -d sql:${PROFILE}`,
              `certutil -A -n Weir -t C,, -i ${quote(values.ca)} -d sql:${PROFILE}`,
            ].join("\n"),
          { sh: "Firefox 153 with certutil" },
          { version: "certutil, separate profile", undo: (shell) => removal(PROFILE, shell) },
        ).filter((form) => form.shell === "sh" || form.shell === "fish"),
      ],
    },
    {
      id: "localhost-probe",
      title: "Localhost probe",
      heading: "Without a probe host",
      language: "text",
      note: "Without this preference, localhost bypasses the proxy. The page proves the proxy setting, not the certificate.",
      forms: [plainForm("Firefox 153", localhostProbe)],
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: true,
    how: "Open the probe URL in Firefox, or the localhost probe from Snippets.",
  },
  trust: { kind: "own-store", where: "Firefox has its own authority store, which Weir does not read." },
  knownErrors: [
    untrusted(
      "SEC_ERROR_UNKNOWN_ISSUER / Warning: Potential Security Risk Ahead / Warning: Security Risk",
      'Import weir-ca.pem under Authorities and turn on "Trust this CA to identify websites".',
    ),
    {
      text: "MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE",
      meaning: "The certificate is not valid yet: a clock is wrong.",
      fix: "Set this computer's clock.",
    },
    {
      text: "MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY",
      meaning:
        "A server presented an authority's certificate as its own. Weir's host certificates are not authority certificates.",
      fix: "Check the host. Either its request bypassed Weir, or a server uses the root with which Weir was started.",
    },
    refused("The proxy server is refusing connections / proxyConnectFailure"),
    {
      text: "Validate says that the request reached Weir, but not through the proxy setting",
      meaning: "Firefox opened the localhost probe directly, without its proxy setting.",
      fix: "Set network.proxy.allow_hijacking_localhost to true and check the proxy settings.",
    },
    bypassedByHand(
      "localhost and 127.0.0.1 bypass the proxy unless network.proxy.allow_hijacking_localhost is true, and an extension may set its own proxy.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
