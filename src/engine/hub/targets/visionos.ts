import { lanSteps, phonePageSteps } from "../device.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const visionos: Target = {
  slug: "visionos",
  name: "visionOS",
  category: "Devices and emulators",
  summary: "Apple Vision Pro: follow the steps of the iOS device on the headset.",
  also: ["VisionPro"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port to enter and offers the certificate on a page that the headset can open. Weir watches for the probe. There is no pairing workflow and no snippet.",
    manual: "Everything on the headset: the proxy, the certificate profile and its trust.",
    changes:
      "The proxy of one Wi-Fi network and one certificate profile on the headset; Weir's local network access while it is on.",
    undo: "Set Configure Proxy to Off, and remove the profile under VPN & Device Management.",
    needs: "The headset on the same network. This guide was not tried on a device.",
  },
  setup: (values) => [
    ...lanSteps(values),
    ...phonePageSteps(values),
    "On the headset open Settings, Wi-Fi, the (i) beside the network, Configure Proxy, Manual, and enter the address and port.",
    "In Safari, open Weir's page (above, or http://weir.test/), download the certificate, and install the profile in Settings, General, VPN & Device Management.",
    "Turn on full trust in Settings, General, About, Certificate Trust Settings.",
    { text: "In Safari, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in Safari on the headset.", LONG_LIMIT),
  trust: { kind: "own-store", where: "The headset has its own certificate store, which Weir does not read." },
  remote: "partly",
  knownErrors: [
    untrusted(
      "This Connection Is Not Private / the certificate is not trusted",
      "Turn on full trust in Certificate Trust Settings. Installing the profile is not enough.",
    ),
    refused("Safari could not connect to the server"),
    bypassedByHand("The proxy applies to one Wi-Fi network. Other networks, a VPN and Private Relay bypass it."),
    ...CERTIFICATE_ERRORS,
  ],
};
