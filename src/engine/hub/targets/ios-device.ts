import { lanSteps, phonePageSteps } from "../device.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const iosDevice: Target = {
  slug: "ios-device",
  name: "iOS device",
  category: "Devices and emulators",
  summary: "iPhone and iPad: manual Wi-Fi proxy, certificate profile, full trust.",
  also: ["iPadOS", "Safari", "Swift"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port to enter and offers the certificate on a page that the device can open. Weir watches for the probe. There is no pairing and no snippet.",
    manual: "Everything on the device: the Wi-Fi proxy, the profile and the trust switch.",
    changes:
      "The proxy of one Wi-Fi network and one certificate profile on the device; Weir's local network access while it is on.",
    undo: "Set Configure Proxy to Off, and remove the profile under VPN & Device Management.",
    needs: "An iPhone or iPad on the same network. This guide was not tried on a device.",
  },
  setup: (values) => [
    ...lanSteps(values),
    ...phonePageSteps(values),
    "On the device open Settings, Wi-Fi, the (i) beside the network, Configure Proxy, Manual, and enter the address and port. Authentication stays off.",
    "In Safari, open Weir's page (above, or http://weir.test/) and download the certificate.",
    "Open Settings, General, VPN & Device Management, the downloaded profile, and install it.",
    "Open Settings, General, About, Certificate Trust Settings and turn on full trust for Weir. The profile alone is not enough.",
    { text: "In Safari, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in Safari on the device.", LONG_LIMIT),
  trust: { kind: "own-store", where: "The device has its own certificate store, which Weir does not read." },
  remote: "always",
  knownErrors: [
    untrusted(
      "This Connection Is Not Private / the certificate is not trusted",
      "Turn on full trust in Certificate Trust Settings. Installing the profile is not enough.",
    ),
    refused("Safari could not connect to the server"),
    bypassedByHand(
      "The proxy applies to one Wi-Fi network. Mobile data, other networks, a VPN and Private Relay bypass it.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
