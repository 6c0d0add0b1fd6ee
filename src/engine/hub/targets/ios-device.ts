import { lanSteps, PHONE_PAGE } from "../device.ts";
import type { Target } from "../target.ts";
import { LONG_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

export const iosDevice: Target = {
  slug: "ios-device",
  name: "iOS device",
  category: "Devices and emulators",
  summary: "iPhone and iPad: manual Wi-Fi proxy, certificate profile, full trust.",
  also: ["iPadOS", "Safari", "Swift"],
  support: "Guide only",
  overview: {
    today:
      "Shows the address and port to enter, offers the certificate on a page the device can open, and watches for the probe you open on it. There is no pairing and no snippet.",
    manual: "Everything on the device: the Wi-Fi proxy, the profile and the trust switch.",
    changes:
      "The proxy of one Wi-Fi network and one certificate profile on the device; LAN listening of Weir while it is on.",
    undo: "Set Configure Proxy back to Off, and remove the profile under VPN & Device Management.",
    needs: "An iPhone or iPad in the same network. This guide was not tried on a device here.",
  },
  setup: (values) => [
    ...lanSteps(values),
    {
      text: "On the device open Settings, Wi-Fi, the (i) beside the network, Configure Proxy, Manual, and enter both. Authentication stays off.",
      code: null,
    },
    { text: "Open this page in Safari and download the certificate.", code: PHONE_PAGE },
    { text: "Open Settings, General, VPN & Device Management, the downloaded profile, and install it.", code: null },
    {
      text: "Open Settings, General, About, Certificate Trust Settings and turn on full trust for Weir. Without this step the profile is not enough.",
      code: null,
    },
    { text: "Open the probe URL of Validate in Safari.", code: values.url },
  ],
  sample: "https://example.com/",
  variants: [],
  probe: { path: "exact", limit: LONG_LIMIT, localhost: false, how: "Open the probe URL in Safari on the device." },
  trust: { kind: "own-store", where: "The device keeps its own certificate trust, which Weir does not read." },
  remote: true,
  troubles: [
    untrusted(
      "This Connection Is Not Private / the certificate is not trusted",
      "Turn on full trust in Certificate Trust Settings. Installing the profile alone does not do it.",
    ),
    refused("Safari could not connect to the server"),
    bypassedByHand(
      "The proxy belongs to one Wi-Fi network: mobile data, another network, a VPN or Private Relay goes past it.",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
