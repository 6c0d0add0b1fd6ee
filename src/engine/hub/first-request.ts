import { hostPort } from "../model/host-port.ts";
import { localAddress } from "../model/listen-address.ts";
import { quoted, quotedForWindows } from "../quoting/shell.ts";
import { BUILT_IN_PROBE_HOST } from "./probe.ts";

/** The line that people are given to try first, by its parts. */
export interface FirstRequest {
  /** It is read by PowerShell and cmd alike; else by the shells of all other systems. */
  readonly onWindows: boolean;
  readonly parts: readonly string[];
}

/** One request of curl through the proxy that listens there. `file`: a whole path, which tells the system it lies on. */
export function firstRequest(address: string, port: number, file: string): FirstRequest {
  const onWindows = /^(?:[A-Za-z]:)?\\/.test(file);
  const quote = (value: string) => (onWindows ? quotedForWindows(value) : quoted(value, "sh"));
  return Object.freeze({
    onWindows,
    // In PowerShell 5.1 `curl` is another program.
    parts: [
      `${onWindows ? "curl.exe" : "curl"} --proxy ${quote(`http://${hostPort(localAddress(address), port)}`)}`,
      `--cacert ${quote(file)}`,
      `https://${BUILT_IN_PROBE_HOST}/anything/weir/hello`,
    ],
  });
}
