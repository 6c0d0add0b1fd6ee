import { hostPort } from "../../model/host-port.ts";
import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { commandForms, plainForm } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const setProxy = (modules: string) => (values: Values) => {
  const proxy = hostPort(values.host, values.port);
  return `${modules};

app.whenReady().then(async () => {
  await session.defaultSession.setProxy({
    proxyRules: ${literal(`http=${proxy};https=${proxy}`, "javascript")},
    proxyBypassRules: "<-loopback>",
  });
  const response = await net.fetch(${literal(values.url, "javascript")});
  console.log(response.status);
});
`;
};

export const electron: Target = {
  slug: "electron",
  name: "Electron",
  category: "Frameworks",
  summary:
    "Send the requests of an Electron app's windows through Weir, with a command-line switch or session.setProxy.",
  also: ["JavaScript", "desktop"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes the command-line switch and the main-process call with the current proxy address. Weir watches for the probe. Weir only reads whether the system trusts the certificate.",
    manual:
      "Starting the app with the switch or adding the call, and trusting the certificate in the system's store. The switches were run in Weir's tests with Chromium, not Electron.",
    changes:
      "The switch changes nothing. The call changes your program. Trusting adds the certificate to your user's store.",
    undo: "Start without the switch, or remove the call. Remove Weir from the store.",
    needs: "An Electron app that you can start from source or with switches. The call needs Electron 25 or newer.",
  },
  setup: (values) => [
    {
      text: "Use the switch for an app that you cannot change, and the call for your own app.",
      code: proxyUrl(values),
    },
    {
      text: "Windows and macOS: trust the certificate in the system's store, as on the page Chrome, Edge, Brave.",
      code: values.ca,
    },
    "Linux: import the certificate into your user's store with certutil, as on the page Chrome, Edge, Brave.",
    "For node:https or fetch in the main process, see the Node.js page.",
    { text: "Start the app, let a window open the probe URL, and confirm the request in Validate.", code: values.url },
  ],
  variants: [
    {
      id: "proxy-server",
      title: "--proxy-server",
      heading: "One start",
      language: "text",
      note: "<-loopback> sends localhost through the proxy too.",
      forms: commandForms(
        (values, _, quote) =>
          `npx electron . ${quote(`--proxy-server=${proxyUrl(values)}`)} ${quote("--proxy-bypass-list=<-loopback>")}`,
        {},
      ),
    },
    {
      id: "set-proxy",
      title: "session.setProxy",
      heading: "In the main process",
      language: "javascript",
      note: "Set the proxy before the first window loads. The last two lines send the sample request through the same session.",
      forms: [
        plainForm(null, setProxy('const { app, net, session } = require("electron")'), "CommonJS"),
        plainForm(null, setProxy('import { app, net, session } from "electron"'), "ES module, Electron 28 and newer"),
      ],
    },
  ],
  probe: exactProbe("Run the main-process code, or let a window of the app open the probe URL."),
  trust: {
    kind: "system-store",
    platforms: ["darwin", "win32"],
    elsewhere: "On Linux, Electron uses Chromium's own store, which Weir does not read.",
  },
  knownErrors: [
    untrusted("net::ERR_CERT_AUTHORITY_INVALID", "Trust weir-ca.pem as in Setup, and restart the app."),
    refused("net::ERR_PROXY_CONNECTION_FAILED"),
    bypassed(
      "Set the proxy before the first window loads. A partition's session has its own proxy, and node:https in the main process uses none.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
