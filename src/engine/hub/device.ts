import { hostPort } from "../model/host-port.ts";
import type { Step, Values } from "./target.ts";

/** The page that the proxy serves to its clients: it offers the certificate for download. */
export const PHONE_PAGE = "http://weir.test/";

/** The steps that configure a device in the same network to use the proxy. */
export function lanSteps({ lan, port }: Values): readonly Step[] {
  if (lan === null)
    return [
      {
        text: "In Settings, Proxy, turn on “Reachable from the local network”. The setting lasts until Weir exits.",
        code: null,
      },
      { text: "Then this page shows the address and port to enter on the device.", code: null },
    ];
  return [
    { text: "Connect the device to the same network as this computer.", code: null },
    { text: "Enter this address and port on the device.", code: hostPort(lan, port) },
  ];
}
