import { hostPort, localAddress } from "../model/host-port.ts";
import { isWindowsPath, quoted, quotedForWindows } from "../quoting/shell.ts";
import { SAMPLE } from "./target.ts";

/** The command line that Weir suggests for a first request, in parts. */
export interface FirstRequest {
  /** `true`: a line for both PowerShell and cmd; `false`: for the shells of all other systems. */
  readonly onWindows: boolean;
  readonly parts: readonly string[];
}

/**
 * One curl request through the proxy at `address`. `file`: absolute path of the certificate. Windows is recognized by
 * the form of this path.
 */
export function firstRequest(address: string, port: number, file: string): FirstRequest {
  const onWindows = isWindowsPath(file);
  const quote = (value: string) => (onWindows ? quotedForWindows(value) : quoted(value, "sh"));
  return Object.freeze({
    onWindows,
    // In PowerShell 5.1, `curl` is an alias of another command.
    parts: [
      `${onWindows ? "curl.exe" : "curl"} --proxy ${quote(`http://${hostPort(localAddress(address), port)}`)}`,
      `--cacert ${quote(file)}`,
      SAMPLE,
    ],
  });
}
