import { hostPort } from "../../model/host-port.ts";
import { literal } from "../../quoting/languages.ts";
import { commandForms, plainForm } from "../forms.ts";
import type { Target, Values } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { bypassed, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

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
  summary: "Send what an Electron app's windows request through Weir: a command-line switch or session.setProxy.",
  also: ["JavaScript", "desktop"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Writes the command-line switch and the main-process call with the proxy's address of now, and watches for the request when you run them. It reads, and only reads, whether the system trusts the certificate.",
    manual:
      "Starting the app with the switch or adding the call, and trusting the certificate in the system's store. Electron was not run here; the same switches were, with Chromium.",
    changes:
      "The switch changes nothing. The call is a change of your program. Trusting the certificate adds it to your user's store.",
    undo: "Start without the switch, or take the call out. Remove Weir from the store.",
    needs:
      "An Electron app that you can start from its source, or whose executable passes switches on. For the call Electron 25 or newer, which has net.fetch.",
  },
  setup: (values) => [
    {
      text: "Choose one way: the switch for an app you cannot change, the call for one you can.",
      code: proxyUrl(values),
    },
    {
      text: "Windows and macOS: trust the certificate in the system's store, as on the page of Chrome, Edge and Brave.",
      code: values.ca,
    },
    { text: "Linux: import it into the user's store with certutil, as on that page.", code: null },
    { text: "Requests of the main process by node:https or fetch are Node.js: see that page.", code: null },
    { text: "Start the app, let a window open the probe URL, and confirm it in Validate.", code: values.url },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "proxy-server",
      title: "--proxy-server",
      place: "One start",
      language: "text",
      note: "<-loopback> makes localhost go through the proxy too.",
      forms: commandForms(
        (values, _, quote) =>
          `npx electron . ${quote(`--proxy-server=${proxyUrl(values)}`)} ${quote("--proxy-bypass-list=<-loopback>")}`,
        {},
      ),
    },
    {
      id: "set-proxy",
      title: "session.setProxy",
      place: "In the main process",
      language: "javascript",
      note: "Before the first window loads. The last two lines send the sample request through the same session.",
      forms: [
        plainForm(null, setProxy('const { app, net, session } = require("electron")'), "CommonJS"),
        plainForm(null, setProxy('import { app, net, session } from "electron"'), "ES module, Electron 28 and newer"),
      ],
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the main-process code, or let a window of the app open the probe URL.",
  },
  trust: {
    kind: "system-store",
    platforms: ["darwin", "win32"],
    elsewhere: "On Linux Electron uses Chromium's own store, which Weir does not read.",
  },
  remote: false,
  troubles: [
    untrusted("net::ERR_CERT_AUTHORITY_INVALID", "Trust weir-ca.pem as Setup says, and start the app again."),
    refused("net::ERR_PROXY_CONNECTION_FAILED"),
    bypassed(
      "The switch must come before the first window loads, a session of a partition has its own proxy, and node:https in the main process has none.",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
