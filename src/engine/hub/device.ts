import { hostPort } from "../model/host-port.ts";
import type { Step, Values } from "./target.ts";

/** The page that the proxy itself serves to what goes through it: it offers the certificate for download. */
export const PHONE_PAGE = "http://weir.test/";

/** How a device on the same network is told where the proxy is. */
export function lanSteps({ lan, port }: Values): readonly Step[] {
  if (lan === null)
    return [
      {
        text: 'Turn on LAN listening in Settings, Proxy (the switch "Reachable from the local network"). It lasts until Weir ends; until then only this machine reaches the proxy.',
        code: null,
      },
      { text: "Come back here for the address and port to enter on the device.", code: null },
    ];
  return [
    { text: "Connect the device to the same network as this machine.", code: null },
    { text: "This is the address and port to enter on the device.", code: hostPort(lan, port) },
  ];
}
