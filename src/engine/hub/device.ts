import { hostPort } from "../model/host-port.ts";
import type { Step, Values } from "./target.ts";

/** The page that the proxy serves to its clients, by the name that only the proxy knows. */
const NAMED_PAGE = "http://weir.test/";

/**
 * The address of the page for devices: it shows the proxy's address and port, offers the certificate, and says whether
 * the device comes through. Needs no proxy setting while other devices can reach Weir.
 */
export function phonePageUrl({ lan, port }: Pick<Values, "lan" | "port">): string {
  return lan === null ? NAMED_PAGE : `http://${hostPort(lan, port)}/`;
}

/** The step that opens the page on a device with a browser; none while the device cannot reach Weir. */
export function phonePageSteps(values: Values): readonly Step[] {
  if (values.lan === null) return [];
  return [
    {
      text: "On the device, scan the QR code or open this page. It says when the device comes through.",
      code: phonePageUrl(values),
    },
  ];
}

/** The steps that configure a device in the same network to use the proxy. */
export function lanSteps({ lan, port }: Values): readonly Step[] {
  if (lan === null)
    return [
      "In Settings, Proxy, turn on “Reachable from the local network”. The setting lasts until Weir exits.",
      "Then this page shows the address and port to enter on the device.",
    ];
  return [
    "Connect the device to the same network as this computer.",
    { text: "Enter this address and port on the device.", code: hostPort(lan, port) },
  ];
}
