import { hostPort } from "../../model/host-port.ts";
import type { Target } from "../target.ts";
import { LONG_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";
import { EMULATOR_HOST } from "./android-emulator.ts";

export const flutter: Target = {
  slug: "flutter",
  name: "Flutter",
  category: "Mobile frameworks",
  summary: "Use a proxy-aware HTTP client in debug code; the rest is on the iOS or Android page.",
  also: ["Dart"],
  support: "Guide only",
  overview: {
    today:
      "Shows the proxy's address for each kind of device and says what the app's code must do, and watches for the probe your app sends. There is no snippet.",
    manual: "The client in your code, and the steps of the iOS or Android page for the certificate.",
    changes: "Debug code of your app; on the device what its own page says.",
    undo: "Take the debug code out; on the device as its own page says.",
    needs: "A Flutter app that you build yourself. This guide was not tried here.",
  },
  setup: (values) => [
    { text: "Do the certificate part of the iOS or Android page first: that is where the real setup is.", code: null },
    {
      text: "Dart's HttpClient reads no system proxy. Give it one in debug code: set findProxy on the client, or on the one your package takes (http, dio).",
      code: "findProxy",
    },
    {
      text: "findProxy returns the word PROXY and the address. In the Android emulator the host is 10.0.2.2.",
      code: `PROXY ${hostPort(EMULATOR_HOST, values.port)}`,
    },
    {
      text: "In the iOS simulator, and in desktop builds, it is this machine's loopback.",
      code: `PROXY ${hostPort(values.host, values.port)}`,
    },
    {
      text:
        values.lan === null
          ? "On a device it is this machine's address: turn on LAN listening to see it here."
          : "On a device it is this machine's address.",
      code: values.lan === null ? null : `PROXY ${hostPort(values.lan, values.port)}`,
    },
    {
      text: "Dart trusts its own list of roots: add Weir's to a SecurityContext with setTrustedCertificatesBytes, from an asset of the debug build, and give the client that context.",
      code: values.ca,
    },
    { text: "Let the app ask for the probe URL of Validate.", code: values.url },
  ],
  sample: "https://example.com/",
  variants: [],
  probe: {
    path: "exact",
    limit: LONG_LIMIT,
    localhost: false,
    how: "Let your app ask for the probe URL once. The device's browser would prove the device, not the app.",
  },
  trust: { kind: "own-store", where: "The app trusts what its own code gives it, which Weir does not read." },
  remote: true,
  troubles: [
    untrusted(
      "HandshakeException: Handshake error in client (OS Error: CERTIFICATE_VERIFY_FAILED: self signed certificate in certificate chain",
      "Give the client a SecurityContext with Weir's root. The device's own store is not asked.",
    ),
    refused("SocketException: Connection refused"),
    bypassedByHand(
      "Dart's HttpClient ignores the proxy of device and emulator until findProxy is set, and a plugin with native code has its own client.",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
