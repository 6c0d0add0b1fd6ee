import { hostPort } from "../../model/host-port.ts";
import { lanSteps, phonePageSteps } from "../device.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

export const phoneSocks: Target = {
  slug: "phone-socks",
  name: "Phone, SOCKS VPN app",
  category: "Devices and emulators",
  summary: "For apps that ignore the Wi-Fi proxy: a VPN app on the phone leads their connections to Weir's SOCKS port.",
  also: ["SocksTun", "tun2socks", "game", "VPN"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port to enter in the app, and watches for the probe. There is no pairing and no snippet.",
    manual: "Installing the app, entering the address, and the certificate steps of the Android or iOS page.",
    changes:
      "A VPN on the phone while the app is on; Weir's local network access while it is on; and what the Android or iOS page changes for the certificate.",
    undo: "Press Disable in the app, and remove the app. Undo the certificate steps as the Android or iOS page says.",
    needs:
      "Android and SocksTun (MIT licence, in F-Droid and on GitHub), on the same network; on iOS an app whose VPN takes a SOCKS 5 server. This guide was not tried on a phone.",
  },
  setup: (values) => [
    ...lanSteps(values),
    ...phonePageSteps(values),
    "Do the certificate steps of the Android or iOS page first, without its Wi-Fi proxy.",
    {
      text: "In SocksTun, enter Weir's address as Socks Address and its port as Socks Port. Leave user name and password empty.",
      code: values.lan === null ? null : hostPort(values.lan, values.port),
    },
    "Turn Remote DNS on, so that Weir gets the servers' names, and leave UDP relay over TCP off: Weir's SOCKS takes TCP alone.",
    "Choose your apps under Apps rather than Global, save, and press Enable.",
    { text: "In the phone's browser or your app, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in an app that the VPN covers.", LONG_LIMIT),
  trust: { kind: "own-store", where: "The device has its own user certificates, which Weir does not read." },
  remote: "always",
  knownErrors: [
    untrusted(
      "CertPathValidatorException: Trust anchor for certification path not found. / net::ERR_CERT_AUTHORITY_INVALID",
      "Install the certificate as the Android or iOS page says. Release builds of most apps ignore user certificates.",
    ),
    refused("net::ERR_CONNECTION_REFUSED / net::ERR_CONNECTION_TIMED_OUT"),
    bypassedByHand("The app is not among the chosen ones, the VPN is off, or the app uses UDP (HTTP/3)."),
    ...CERTIFICATE_ERRORS,
  ],
};
