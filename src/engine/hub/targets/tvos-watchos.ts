import { lanSteps } from "../device.ts";
import type { Target } from "../target.ts";
import { LONG_LIMIT } from "../target.ts";
import { bypassedByHand, CERTIFICATE_TROUBLES, refused, untrusted } from "../troubles.ts";

export const tvosWatchos: Target = {
  slug: "tvos-watchos",
  name: "tvOS, watchOS",
  category: "Devices and emulators",
  summary: "Apple TV and Apple Watch: the ways of the iOS device and simulator.",
  also: ["AppleTV"],
  support: "Guide only",
  overview: {
    today:
      "Shows the address and port and where the certificate lies, and watches for the probe your app sends. There is no pairing workflow and no snippet.",
    manual: "Everything on the device or simulator, by the steps of the iOS pages.",
    changes: "What the iOS device or iOS simulator page says, for the device at hand.",
    undo: "As on the iOS device or iOS simulator page.",
    needs: "The device in the same network, or a simulator on this Mac. This guide was not tried here.",
  },
  setup: (values) => [
    {
      text: "A simulator: follow the iOS simulator page. It shares the Mac's network and proxy.",
      code: `${values.host} ${values.port}`,
    },
    ...lanSteps(values),
    {
      text: "An Apple TV: bring proxy and certificate to it in a configuration profile, since its settings have no proxy field. Then trust the certificate in its Certificate Trust Settings.",
      code: values.der,
    },
    {
      text: "An Apple Watch: its requests go through its iPhone while that is near. Follow the iOS device page on the iPhone.",
      code: null,
    },
    { text: "Let your app ask for the probe URL of Validate: neither device has a browser.", code: values.url },
  ],
  sample: "https://example.com/",
  variants: [],
  probe: {
    path: "exact",
    limit: LONG_LIMIT,
    localhost: false,
    how: "There is no browser to open it in: let your app ask for the probe URL once.",
  },
  trust: { kind: "own-store", where: "The device keeps its own certificate trust, which Weir does not read." },
  remote: true,
  troubles: [
    untrusted(
      "NSURLErrorDomain -1202 / The certificate for this server is invalid",
      "Turn on full trust in Certificate Trust Settings of the device.",
    ),
    refused("NSURLErrorDomain -1004 / Could not connect to the server"),
    bypassedByHand("A watch away from its iPhone uses its own Wi-Fi or mobile data."),
    ...CERTIFICATE_TROUBLES,
  ],
};
