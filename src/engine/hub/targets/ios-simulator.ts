import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const iosSimulator: Target = {
  slug: "ios-simulator",
  name: "iOS simulator",
  category: "Devices and emulators",
  summary: "Set the Mac's proxy, drop the PEM on the simulator, turn on full trust, and cold-launch the app.",
  also: ["Xcode", "Swift", "iPhone", "iPad"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port and where the certificate is. Weir watches for the probe. There is no pairing and no snippet.",
    manual:
      "Setting the Mac's proxy, dragging the certificate file onto the simulator, turning on full trust, and relaunching the app.",
    changes: "The proxy of one of the Mac's networks, for all programs, and the certificates of one simulator.",
    undo: "Turn the Mac's proxies off, and remove the profile in the simulator or erase its content.",
    needs: "A Mac with Xcode. This guide was not tried.",
  },
  setup: (values) => [
    {
      text: "The simulator shares the Mac's network, loopback and proxy.",
      code: `${values.host} ${values.port}`,
    },
    "On the Mac open System Settings, Network, your network, Details, Proxies. Enter this address and port as web proxy and as secure web proxy.",
    { text: "Drag the PEM from the Finder onto the simulator's window.", code: values.ca },
    "In the simulator open Settings, General, About, Certificate Trust Settings and turn on full trust for Weir.",
    "Cold-launch the app: close it in the app switcher, then open it.",
    { text: "In the simulator's Safari, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in Safari of the simulator.", LONG_LIMIT),
  trust: { kind: "own-store", where: "Each simulator has its own certificate store, which Weir does not read." },
  knownErrors: [
    untrusted(
      "NSURLErrorDomain -1202 / The certificate for this server is invalid",
      "Turn on full trust in Certificate Trust Settings of this simulator, then cold-launch the app.",
    ),
    refused("NSURLErrorDomain -1004 / Could not connect to the server"),
    bypassedByHand("The app started before the proxy was set, or it opens its own connections instead of URLSession."),
    ...CERTIFICATE_ERRORS,
  ],
};
