import type { Shell } from "../../quoting/shell.ts";
import { bypassed, CERTIFICATE_ERRORS, misspelt, refused, untrusted } from "../known-errors.ts";
import { commandForms } from "../snippet-forms.ts";
import { exactProbe, type Form, proxyUrl, type Target, type Values } from "../target.ts";

const PROFILE = "weir-chromium";

/** Program names on Linux, on macOS and on Windows. On Windows, Chromium's program has the same name as Chrome's. */
const BROWSERS = [
  { name: "Chromium", linux: "chromium", mac: "Chromium", windows: "chrome", ran: { sh: "Chromium 156" } },
  { name: "Chrome", linux: "google-chrome", mac: "Google Chrome", windows: "chrome", ran: {} },
  { name: "Edge", linux: "microsoft-edge", mac: "Microsoft Edge", windows: "msedge", ran: {} },
  { name: "Brave", linux: "brave-browser", mac: "Brave Browser", windows: "brave", ran: {} },
] as const;

type Browser = (typeof BROWSERS)[number];

/**
 * Options that switch off the browser's own requests and its questions at a first start. No option stops the checks of
 * sign-in (accounts.google.com) and of components (update.googleapis.com).
 */
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-features=NetworkTimeServiceQuerying,OptimizationHints",
  "--no-first-run",
  "--no-default-browser-check",
] as const;

/**
 * The browser's options. `<-loopback>` makes the browser proxy localhost and 127.x, too. The key's hash takes effect
 * only in a profile named by `--user-data-dir`.
 */
const optionsOf = (values: Values): readonly string[] => [
  `--proxy-server=${proxyUrl(values)}`,
  "--proxy-bypass-list=<-loopback>",
  `--ignore-certificate-errors-spki-list=${values.keyHash}`,
  ...QUIET,
  values.url,
];

const NOTE =
  "The profile is a separate folder; yours stays unchanged. It accepts a certificate that comes with Weir's own, whose key the command names. It verifies all others as usual, and shows a warning about the option. Whoever has Weir's certificate could pretend to be a host that passes through, so use the profile for tests alone. Background requests are off, except the browser's own checks of sign-in and components. <-loopback> sends localhost through the proxy too.";

const command = (browser: Browser): readonly Form[] =>
  commandForms(
    (values, shell, quote) => {
      const options = optionsOf(values).map(quote);
      if (shell === "powershell")
        return `Start-Process ${browser.windows} -ArgumentList ${[profileOption(shell), ...options].join(", ")}`;
      const program = shell === "cmd" ? `start ${browser.windows}` : browser.linux;
      return [program, profileOption(shell), ...options].join(" ");
    },
    browser.ran,
    { version: browser.name, undo: removeProfile },
  );

const macCommand = (browser: Browser): readonly Form[] =>
  commandForms(
    (values, shell, quote) =>
      [`open -na ${quote(browser.mac)} --args`, profileOption(shell), ...optionsOf(values).map(quote)].join(" "),
    {},
    { version: browser.name, undo: removeProfile },
  ).filter(({ shell }) => shell === "sh" || shell === "fish");

/**
 * The option that names the profile's folder. The path is absolute, since relative paths would be resolved elsewhere:
 * on Windows in the browser's folder, on macOS in the folder in which `open` starts the browser. Start-Process joins
 * its arguments without quotes, so the path is quoted.
 */
function profileOption(shell: Shell): string {
  switch (shell) {
    case "sh":
    case "fish":
      return `"--user-data-dir=$PWD/${PROFILE}"`;
    case "powershell":
      return `"--user-data-dir=\`"$env:TEMP\\${PROFILE}\`""`;
    case "cmd":
      return `"--user-data-dir=%TEMP%\\${PROFILE}"`;
  }
}

function removeProfile(shell: Shell): string {
  switch (shell) {
    case "sh":
    case "fish":
      return `rm -r ${PROFILE}`;
    case "powershell":
      return `Remove-Item -Recurse "$env:TEMP\\${PROFILE}"`;
    case "cmd":
      return `rmdir /s /q "%TEMP%\\${PROFILE}"`;
  }
}

/**
 * The folders of Chromium's certificate store before version 146, and from version 146 on. If the old folder exists,
 * Chromium still uses it.
 */
const [OLD_STORE, NEW_STORE] = ["$HOME/.pki/nssdb", "$HOME/.local/share/pki/nssdb"];

/**
 * Shell text that sets `store` to the folder that the user's browsers read. The undo line repeats this text, since it
 * may run in another terminal.
 */
function foundStore(shell: Shell): string {
  const set = shell === "fish" ? "set store " : "store=";
  return `${set}"${OLD_STORE}"; test -d "$store" || ${set}"${NEW_STORE}"`;
}

const REFUSED = refused("net::ERR_PROXY_CONNECTION_FAILED");

export const chromium: Target = {
  slug: "chromium",
  name: "Chrome, Edge, Brave",
  category: "Browsers",
  summary: "Start a Chromium browser with its own profile through Weir.",
  also: ["Google", "Microsoft", "msedge", "Opera", "Vivaldi", "Playwright", "Puppeteer", "Selenium"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes the command that starts the browser with Weir as its proxy and its certificate accepted. Weir watches for the page you open. For a profile of your own, Weir also writes the import into the Linux certificate store.",
    manual: "Running the command. To use your own profile instead, trusting the certificate by hand.",
    changes: `The command creates the folder ${PROFILE}, on Windows among the temporary files. Nothing is added to a certificate store, unless you choose the second way.`,
    undo: `Close the browser and delete ${PROFILE}. After the second way, remove Weir from the store with the undo line or in the system's certificate window.`,
    needs:
      "Chrome, Edge, Brave or Chromium. The second way needs certutil on Linux (Debian: libnss3-tools). Only Chromium on Linux was run in Weir's tests.",
  },
  setup: (values) => [
    {
      text: "Paste the command of Snippets. It starts the browser with a profile of its own, which accepts Weir's certificate and verifies all others.",
      code: proxyUrl(values),
    },
    "Open the probe URL, or your own pages.",
    "Second way, for your own profile: trust the certificate as below, close the browser, and start it with --proxy-server alone.",
    "Linux: import the certificate with certutil, see Snippets.",
    {
      text: "macOS: double-click the file, choose the login keychain, open Weir there and set Trust to Always Trust.",
      code: values.ca,
    },
    {
      text: "Windows: double-click the file, choose Install Certificate, Current User, and the store Trusted Root Certification Authorities.",
      code: values.der,
    },
  ],
  userAgents: ["Chrome", "Edge"],
  variants: [
    {
      id: "command",
      title: "Linux, Windows",
      heading: "One command",
      language: "text",
      note: NOTE,
      forms: BROWSERS.flatMap(command),
    },
    {
      id: "mac-command",
      title: "macOS",
      heading: "One command",
      language: "text",
      note: `${NOTE} Not run in Weir's tests.`,
      forms: BROWSERS.flatMap(macCommand),
    },
    {
      id: "authority-import",
      title: "Authority import",
      heading: "Second way: trust the certificate",
      language: "text",
      note: 'For Linux. The store is .pki/nssdb or .local/share/pki/nssdb in your home folder, whichever the browser reads. A browser from a snap or Flatpak reads neither: open chrome://certificate-manager, choose "Installed by you", and import the file under Trusted Certificates.',
      forms: commandForms(
        (values, shell, quote) =>
          [
            `test -d "${NEW_STORE}" || mkdir -p "${OLD_STORE}"`,
            foundStore(shell),
            'test -e "$store/cert9.db" || certutil -N --empty-password -d "sql:$store"',
            `certutil -A -n Weir -t C,, -i ${quote(values.ca)} -d "sql:$store"`,
          ].join("\n"),
        { sh: "Chromium 156 with certutil" },
        { version: "Linux", undo: (shell) => `${foundStore(shell)}; certutil -D -n Weir -d "sql:$store"` },
      ).filter((form) => form.shell === "sh" || form.shell === "fish"),
    },
  ],
  probe: exactProbe("Run the command; the browser opens the probe URL."),
  trust: { kind: "names-key" },
  knownErrors: [
    untrusted(
      "net::ERR_CERT_AUTHORITY_INVALID",
      "Copy the command again, and close the browser that uses its profile first. In your own profile, trust weir-ca.pem as in Setup.",
    ),
    {
      ...REFUSED,
      fix: `${REFUSED.fix} Chromium shows the same error if the proxy URL starts with https://.`,
    },
    misspelt("net::ERR_NO_SUPPORTED_PROXIES"),
    {
      text: "net::ERR_CERT_DATE_INVALID",
      meaning: "The certificate has expired or is not valid yet: a clock is wrong, or Weir's root has expired.",
      fix: "Set this computer's clock. If Status says that the certificate needs renewal, renew it in Settings, Certificate, and trust the new one.",
    },
    {
      text: "net::ERR_CERT_COMMON_NAME_INVALID / ERR_CERT_INVALID",
      meaning: "The certificate breaks Chromium's rules. Weir's certificates meet them; a root of your own may not.",
      fix: "Check the certificate in the browser. A root of your own must be marked as an authority that may sign.",
    },
    bypassed(
      "localhost bypasses the proxy without <-loopback>, a running browser ignores the options, and your organisation's policy may set another proxy.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
