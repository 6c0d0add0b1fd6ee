import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const reactNative: Target = {
  slug: "react-native",
  name: "React Native",
  category: "Mobile frameworks",
  summary:
    "Requests use the platform's network stack: set up the platform first, then restart the bundler and the app.",
  also: ["ReactNative", "RN", "Expo"],
  support: "Guide only",
  overview: {
    today: "Weir lists the pages to follow, in order. Weir watches for the probe. There is no snippet.",
    manual: "The steps of the iOS or Android page, and restarting the bundler and the app.",
    changes: "What the iOS or Android page changes on your device.",
    undo: "Undo the steps as the iOS or Android page says.",
    needs: "A React Native app in a debug build. This guide was not tried.",
  },
  setup: (values) => [
    "Follow the page of your iOS or Android device, simulator or emulator to its end, and confirm the setup there with the browser.",
    "Android: the debug build needs the network-security-config of that page.",
    "Stop Metro, the bundler, and start it again.",
    "Close the app on the device and open it again; a reload keeps old connections.",
    { text: "Let the app request the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe(
    "Let your app request the probe URL once. A request from the device's browser proves the device's setup, but not the app's.",
    LONG_LIMIT,
  ),
  trust: { kind: "own-store", where: "The device has its own certificate store, which Weir does not read." },
  remote: "partly",
  knownErrors: [
    untrusted(
      "TypeError: Network request failed",
      "fetch hides the reason. Open the probe URL in the device's browser. If that fails too, follow the platform's page; if not, check the network-security-config.",
    ),
    refused("TypeError: Network request failed (the probe fails in the browser too)"),
    {
      text: "Could not connect to development server.",
      meaning:
        "The app's requests to Metro go through the proxy too. Weir does not let devices reach private addresses unless Settings, Proxy allows it.",
      fix: "Add this computer's address to the bypass list of the device's Wi-Fi proxy.",
    },
    bypassedByHand("A native module may have its own network code, and a reload keeps old connections."),
    ...CERTIFICATE_ERRORS,
  ],
};
