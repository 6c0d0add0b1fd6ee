import type { Target } from "../target.ts";
import { LONG_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

export const reactNative: Target = {
  slug: "react-native",
  name: "React Native",
  category: "Mobile frameworks",
  summary: "Requests use the platform's network stack: fix the platform first, then restart the bundler and the app.",
  also: ["ReactNative", "RN", "Expo"],
  support: "Guide only",
  overview: {
    today:
      "Says which page to follow and in which order, and watches for the probe your app sends. There is no snippet.",
    manual: "The steps of the iOS or Android page, and restarting the bundler and the app.",
    changes: "What the iOS or Android page says, for the device at hand.",
    undo: "As on that page.",
    needs: "A React Native app in a debug build. This guide was not tried here.",
  },
  setup: (values) => [
    {
      text: "Follow the page of the iOS device, iOS simulator, Android device or Android emulator to its end, and confirm it there with the browser.",
      code: null,
    },
    { text: "Android: the debug build needs the network-security-config of that page.", code: null },
    { text: "Stop Metro, the bundler, and start it again.", code: null },
    { text: "End the app on the device and open it again; a reload keeps the old connections.", code: null },
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
  trust: { kind: "own-store", where: "The device keeps its own certificate trust, which Weir does not read." },
  remote: true,
  troubles: [
    untrusted(
      "TypeError: Network request failed",
      "fetch hides the reason. Open the probe URL in the device's browser: if that fails too, the platform's page has the answer; if not, look at the network-security-config.",
    ),
    refused("TypeError: Network request failed (the probe fails in the browser too)"),
    {
      text: "Could not connect to development server.",
      meaning:
        "The app asks Metro through the proxy too, and Weir refuses private addresses to devices of the LAN unless they are allowed.",
      fix: "Add this machine's address to the bypass list of the device's Wi-Fi proxy.",
    },
    bypassedByHand("A native module may have network code of its own, and a reload does not open new connections."),
    ...CERTIFICATE_TROUBLES,
  ],
};
