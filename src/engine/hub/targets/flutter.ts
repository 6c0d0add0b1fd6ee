import { hostPort } from "../../model/host-port.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";
import { EMULATOR_HOST } from "./android-emulator.ts";

export const flutter: Target = {
  slug: "flutter",
  name: "Flutter",
  category: "Mobile frameworks",
  summary: "Use a proxy-aware HTTP client in debug code; the other steps are on the iOS or Android page.",
  also: ["Dart"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the proxy address for each kind of device, and what the app's code must do. Weir watches for the probe. There is no snippet.",
    manual: "Setting up the HTTP client in your code, and the steps of the iOS or Android page for the certificate.",
    changes: "Your app's debug code, and what the iOS or Android page changes on the device.",
    undo: "Remove the debug code. Undo the steps on the device as the iOS or Android page says.",
    needs: "A Flutter app that you build yourself. This guide was not tried.",
  },
  setup: (values) => [
    "Do the certificate steps of the iOS or Android page first.",
    {
      text: "Dart's HttpClient ignores the system proxy. In debug code, set findProxy on the client, or on the client that your package takes (http, dio).",
      code: "findProxy",
    },
    {
      text: "findProxy returns PROXY and the address. In the Android emulator the host is 10.0.2.2.",
      code: `PROXY ${hostPort(EMULATOR_HOST, values.port)}`,
    },
    {
      text: "In the iOS simulator and in desktop builds, the host is this computer's loopback.",
      code: `PROXY ${hostPort(values.host, values.port)}`,
    },
    {
      text:
        values.lan === null
          ? "On a device, the host is this computer's network address. To see the address, turn on Settings, Proxy, Reachable from the local network."
          : "On a device, the host is this computer's network address.",
      code: values.lan === null ? null : `PROXY ${hostPort(values.lan, values.port)}`,
    },
    {
      text: "Dart has its own roots. Add Weir's root to a SecurityContext with setTrustedCertificatesBytes, from an asset of the debug build, and give the client that context.",
      code: values.ca,
    },
    { text: "Let the app request the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe(
    "Let your app request the probe URL once. A request from the device's browser proves the device's setup, but not the app's.",
    LONG_LIMIT,
  ),
  trust: {
    kind: "own-store",
    where: "The app's own code decides which certificates it trusts, and Weir does not read that code.",
  },
  remote: "partly",
  knownErrors: [
    untrusted(
      "HandshakeException: Handshake error in client (OS Error: CERTIFICATE_VERIFY_FAILED: self signed certificate in certificate chain",
      "Give the client a SecurityContext with Weir's root. Dart ignores the device's store.",
    ),
    refused("SocketException: Connection refused"),
    bypassedByHand(
      "Dart's HttpClient ignores the device's proxy until findProxy is set, and a native plugin has its own client.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
