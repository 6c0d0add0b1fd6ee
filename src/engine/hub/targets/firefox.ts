import { literal } from "../../quoting/languages.ts";
import { commandForms, plainForm, removal } from "../forms.ts";
import type { Target, Values } from "../target.ts";
import { SHORT_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

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
  summary: "Point Firefox at Weir by its own proxy settings and its own authority store.",
  also: ["Mozilla"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes the values for Firefox's settings, the same as preferences of a separate profile, and the import of the certificate, and watches for the page you open.",
    manual:
      "Entering the proxy, importing the certificate, and opening the probe URL. Weir reads and writes no Firefox profile.",
    changes: "Firefox's proxy settings and its authority store, in the profile in which you enter them.",
    undo: 'Set the proxy back to "Use system proxy settings", and delete Weir under Authorities. A separate profile is a folder you can delete.',
    needs: "Firefox. For the separate profile on Linux also certutil (Debian: libnss3-tools).",
  },
  setup: (values) => [
    {
      text: 'Open Settings, search for "proxy" and choose Configure proxy (in older versions Settings… under Network Settings).',
      code: null,
    },
    { text: "Choose Manual proxy configuration and enter host and port.", code: `${values.host} ${values.port}` },
    { text: 'Turn on "Also use this proxy for HTTPS" and empty "No proxy for".', code: null },
    {
      text: 'Search for "certificates", choose Manage certificates (in older versions View Certificates), Authorities, Import, and choose the file.',
      code: values.ca,
    },
    { text: 'Turn on "Trust this CA to identify websites".', code: null },
    {
      text: "Confirm it in Validate. If the probe host cannot be opened from your network, use the localhost probe of Snippets.",
      code: null,
    },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "network-settings",
      title: "Network settings",
      place: "The proxy",
      language: "text",
      note: "Enter it in your profile, or keep your profile as it is and use a folder of its own: firefox --profile with the second form in its user.js. Only that form was run here.",
      forms: [
        plainForm(null, dialog, "Settings window"),
        plainForm("Firefox 153", userJs, "user.js of a separate profile"),
      ],
    },
    {
      id: "authority-import",
      title: "Authority import",
      place: "The certificate",
      language: "text",
      note: "Firefox keeps its own store. The command lines make a separate profile with Weir's root in it; only they were run here.",
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
      place: "Without a probe host",
      language: "text",
      note: "Firefox sends localhost directly unless this preference is on. The page proves the proxy setting, not the certificate.",
      forms: [plainForm("Firefox 153", localhostProbe)],
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: true,
    how: "Open the probe URL in Firefox, or the localhost probe of Snippets.",
  },
  trust: { kind: "own-store", where: "Firefox keeps its own authority store, which Weir does not read." },
  remote: false,
  troubles: [
    untrusted(
      "SEC_ERROR_UNKNOWN_ISSUER / Warning: Potential Security Risk Ahead / Warning: Security Risk",
      'Import weir-ca.pem under Authorities and turn on "Trust this CA to identify websites".',
    ),
    {
      text: "MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE",
      meaning: "The certificate lies in the future: a clock is wrong.",
      fix: "Set the clock of this machine.",
    },
    {
      text: "MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY",
      meaning:
        "A server was met that shows an authority's certificate as its own. Weir's certificates for hosts are no authorities.",
      fix: "See which host it is: the request for it did not go through Weir, or Weir was started with a root that is used by a server too.",
    },
    refused("The proxy server is refusing connections / proxyConnectFailure"),
    {
      text: "Validate says that the request reached Weir, but not through the proxy setting",
      meaning: "Firefox opened the localhost probe directly: its proxy setting was not used.",
      fix: "Set network.proxy.allow_hijacking_localhost to true and look at the proxy settings again.",
    },
    bypassedByHand(
      "localhost and 127.0.0.1 go directly unless network.proxy.allow_hijacking_localhost is true, and an extension may have a proxy of its own.",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
