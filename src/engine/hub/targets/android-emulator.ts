import { hostPort } from "../../model/host-port.ts";
import { bypassedByHand, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { exactProbe, LONG_LIMIT, type Target } from "../target.ts";
import { NETWORK_SECURITY_CONFIG } from "./android-device.ts";

/** The address at which the emulator reaches the host machine's loopback (Android emulator networking). */
export const EMULATOR_HOST = "10.0.2.2";

export const androidEmulator: Target = {
  slug: "android-emulator",
  name: "Android emulator",
  category: "Devices and emulators",
  summary: "Emulator: proxy at 10.0.2.2, user CA, and a debug build that trusts user CAs.",
  also: ["AVD", "Android Studio", "Kotlin"],
  support: "Guide only",
  overview: {
    today:
      "Weir shows the address and port as the emulator sees them and where the certificate is. Weir watches for the probe. There is no pairing and no snippet.",
    manual: "The emulator's proxy, the user CA, and the network security configuration of the debug build.",
    changes: "The proxy and one user certificate of one emulator; one file of your app.",
    undo: "Remove the proxy where you entered it and the certificate under user credentials, or wipe the emulator's data.",
    needs: "The Android emulator. This guide was not tried. Weir can stay on 127.0.0.1.",
  },
  setup: (values) => [
    {
      text: "The emulator reaches this computer's loopback at 10.0.2.2.",
      code: hostPort(EMULATOR_HOST, values.port),
    },
    {
      text: 'Open Extended controls, Settings, Proxy and turn off "Use Android Studio HTTP proxy settings". Choose Manual proxy configuration, enter host name and port, and press Apply.',
      code: `${EMULATOR_HOST} ${values.port}`,
    },
    "If Proxy status is not Success, or Extended controls have no Proxy (inside Android Studio), enter the proxy in the emulator itself: Settings, Network & internet, Internet, the pencil of AndroidWifi, Advanced options, Proxy, Manual.",
    { text: "Drag the certificate file onto the emulator's window. The file goes to Downloads.", code: values.der },
    'In the emulator open Settings, search for "CA certificate", and install the file as a CA certificate.',
    {
      text: "Your own app also needs a network-security-config. Put this into res/xml/network_security_config.xml, refer to the file in the manifest (android:networkSecurityConfig), and make a debug build.",
      code: NETWORK_SECURITY_CONFIG,
    },
    { text: "In the emulator's browser, open the probe URL shown under Validate.", code: values.url },
  ],
  variants: [],
  probe: exactProbe("Open the probe URL in the browser of the emulator.", LONG_LIMIT),
  trust: { kind: "own-store", where: "Each emulator has its own user certificates, which Weir does not read." },
  knownErrors: [
    untrusted(
      "java.security.cert.CertPathValidatorException: Trust anchor for certification path not found.",
      "Install the user CA, and give the debug build the network-security-config.",
    ),
    refused("java.net.ConnectException: Failed to connect to /10.0.2.2:…"),
    bypassedByHand(
      "Inside the emulator, 127.0.0.1 is the emulator itself; use 10.0.2.2. Flutter ignores the emulator's proxy.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
