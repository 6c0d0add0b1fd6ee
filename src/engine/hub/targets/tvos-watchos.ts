import { lanSteps } from "../device.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const tvosWatchos: Target = {
  slug: "tvos-watchos",
  name: "tvOS, watchOS",
  category: "Devices and emulators",
  summary: "Apple TV and Apple Watch: follow the steps of the iOS device or simulator.",
  also: ["AppleTV"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port and where the certificate is. Weir watches for the probe. There is no pairing workflow and no snippet.",
    manual: "Everything on the device or simulator, by the steps of the iOS pages.",
    changes: "The same as for an iOS device or iOS simulator; see those pages.",
    undo: "Undo the steps as the iOS device or iOS simulator page says.",
    needs: "An Apple device on this computer's network, or a simulator on this Mac. Nobody has tried this guide yet.",
  },
  setup: (values) => [
    {
      text: "A simulator: follow the iOS simulator page. It shares the Mac's network and proxy.",
      code: `${values.host} ${values.port}`,
    },
    ...lanSteps(values),
    {
      text: "An Apple TV: install proxy and certificate with a configuration profile, as its settings have no proxy field. Then trust the certificate in its Certificate Trust Settings.",
      code: values.der,
    },
    "An Apple Watch sends its requests through a nearby iPhone. Set up that iPhone as the iOS device page says.",
    {
      text: "Let your app request the probe URL shown under Validate: neither device has a browser.",
      code: values.url,
    },
  ],
  variants: [],
  probe: exactProbe("Let your app request the probe URL once: the device has no browser.", LONG_LIMIT),
  trust: { kind: "own-store", where: "The device has its own certificate store, which Weir does not read." },
  remote: "partly",
  knownErrors: [
    untrusted(
      "NSURLErrorDomain -1202 / The certificate for this server is invalid",
      "Turn on full trust in Certificate Trust Settings of the device.",
    ),
    refused("NSURLErrorDomain -1004 / Could not connect to the server"),
    bypassedByHand("Without its iPhone nearby, a watch uses its own Wi-Fi or mobile data."),
    ...CERTIFICATE_ERRORS,
  ],
};
