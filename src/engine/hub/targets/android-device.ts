import { lanSteps, phonePageSteps } from "../device.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";

/** Makes a debug build trust user CAs, which apps for API level 24 and newer do not trust by default. */
export const NETWORK_SECURITY_CONFIG =
  '<network-security-config><debug-overrides><trust-anchors><certificates src="user"/></trust-anchors></debug-overrides></network-security-config>';

export const androidDevice: Target = {
  slug: "android-device",
  name: "Android device",
  category: "Devices and emulators",
  summary: "Phone or tablet: manual Wi-Fi proxy, user CA, and a debug build that trusts user CAs.",
  also: ["Samsung", "Pixel", "Kotlin"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port to enter and offers the certificate on a page that the device can open. Weir watches for the probe. There is no pairing and no snippet.",
    manual: "The Wi-Fi proxy, the user CA, and the network security configuration of the debug build.",
    changes:
      "The proxy of one Wi-Fi network and one user certificate on the device; Weir's local network access while it is on; one file of your app.",
    undo: "Set the proxy to None, remove the certificate under user credentials, and remove the file from the app.",
    needs: "An Android device on the same network. This guide was not tried on a device.",
  },
  setup: (values) => [
    ...lanSteps(values),
    ...phonePageSteps(values),
    "On the device, edit the Wi-Fi network: Advanced, Proxy, Manual. Enter the address and port, and leave the bypass list empty.",
    "In the browser, open Weir's page (above, or http://weir.test/) and download the certificate.",
    'Open Settings, search for "CA certificate", and install the file as a CA certificate. The device may ask for a screen lock.',
    {
      text: "Browsers trust the certificate now. Your own app also needs a network-security-config. Put this into res/xml/network_security_config.xml.",
      code: NETWORK_SECURITY_CONFIG,
    },
    {
      text: "Name the file in the application element of the app's manifest, and make a debug build.",
      code: 'android:networkSecurityConfig="@xml/network_security_config"',
    },
    { text: "In the device's browser, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in the browser of the device.", LONG_LIMIT),
  trust: { kind: "own-store", where: "The device has its own user certificates, which Weir does not read." },
  remote: "always",
  knownErrors: [
    untrusted(
      "java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.",
      "Install the user CA, and give the debug build the network-security-config. Release builds ignore user CAs.",
    ),
    untrusted(
      "net::ERR_CERT_AUTHORITY_INVALID",
      "Install the certificate as a CA certificate, not as a VPN, app or Wi-Fi certificate.",
    ),
    refused("net::ERR_PROXY_CONNECTION_FAILED"),
    bypassedByHand("Mobile data, a VPN, Flutter and apps with their own network code ignore the Wi-Fi proxy."),
    ...CERTIFICATE_ERRORS,
  ],
};
