import type { Target } from "../target.ts";
import { LONG_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

export const iosSimulator: Target = {
  slug: "ios-simulator",
  name: "iOS simulator",
  category: "Devices and emulators",
  summary: "The Mac's proxy, the PEM dropped on the simulator, full trust, cold launch.",
  also: ["Xcode", "Swift", "iPhone", "iPad"],
  support: "Guide only",
  overview: {
    today:
      "Shows the address and port and where the certificate lies, and watches for the probe you open in the simulator. There is no pairing and no snippet.",
    manual: "The Mac's proxy, dragging the file onto the simulator, the trust switch, and launching the app anew.",
    changes: "The Mac's proxy for all programs of that network, and the certificates of one simulator.",
    undo: "Turn the Mac's proxies off, and remove the profile in the simulator or erase its content.",
    needs: "A Mac with Xcode. This guide was not tried here.",
  },
  setup: (values) => [
    {
      text: "The simulator shares the Mac's network: loopback reaches Weir, and the Mac's proxy is its proxy.",
      code: `${values.host} ${values.port}`,
    },
    {
      text: "On the Mac open System Settings, Network, your network, Details, Proxies, and enter it as web proxy and secure web proxy.",
      code: null,
    },
    { text: "Drag the PEM from the Finder onto the simulator's window.", code: values.ca },
    {
      text: "In the simulator open Settings, General, About, Certificate Trust Settings and turn on full trust for Weir.",
      code: null,
    },
    { text: "Cold-launch the app: end it in the app switcher, then open it.", code: null },
    { text: "Open the probe URL of Validate in Safari of the simulator.", code: values.url },
  ],
  sample: "https://example.com/",
  variants: [],
  probe: { path: "exact", limit: LONG_LIMIT, localhost: false, how: "Open the probe URL in Safari of the simulator." },
  trust: { kind: "own-store", where: "Each simulator keeps its own certificate trust, which Weir does not read." },
  remote: false,
  troubles: [
    untrusted(
      "NSURLErrorDomain -1202 / The certificate for this server is invalid",
      "Turn on full trust in Certificate Trust Settings of this simulator, then cold-launch the app.",
    ),
    refused("NSURLErrorDomain -1004 / Could not connect to the server"),
    bypassedByHand("The app started before the proxy was set, or it opens its own connections instead of URLSession."),
    ...CERTIFICATE_TROUBLES,
  ],
};
