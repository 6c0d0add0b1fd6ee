import { firstRequest } from "../../../engine/hub/first-request.ts";
import type { Status } from "../../../engine/messages/status-messages.ts";
import { hostPort, isThisMachine } from "../../../engine/model/host-port.ts";

/** What the list shows before the first exchange. */
export type FirstSteps = ReturnType<typeof firstStepsOf>;

interface Check {
  readonly name: string;
  readonly text: string;
  readonly icon: "#icon-check" | "#icon-info" | "#icon-waiting";
  readonly ok: boolean;
}

/** The Setup Hub's targets that the list offers before the first exchange. */
export const HUB_TARGETS: readonly { readonly slug: string; readonly name: string }[] = Object.freeze([
  { slug: "python", name: "Python" },
  { slug: "nodejs", name: "Node.js" },
  { slug: "curl", name: "curl" },
  { slug: "java", name: "Java" },
  { slug: "go", name: "Go" },
  { slug: "firefox", name: "Firefox" },
  { slug: "docker", name: "Docker" },
  { slug: "android-emulator", name: "Android emulator" },
  { slug: "ios-device", name: "iOS device" },
]);

export function firstStepsOf(status: Status) {
  const { proxy, recording, certificate } = status;
  const address = hostPort(proxy.address, proxy.port);
  const checks: readonly Check[] = [
    {
      name: "Proxy",
      text: proxy.running
        ? `running on ${address}${isThisMachine(proxy.address) ? ", this computer only" : ""}`
        : "stopped",
      ...mark(proxy.running),
    },
    { name: "Recording", text: recording ? "on" : "paused; traffic is proxied but not recorded", ...mark(recording) },
    {
      name: "Certificate",
      text: `made for this computer and exported as ${fileNameOf(certificate.bundle)}`,
      ...mark(true),
    },
    { name: "First request", text: "waiting", icon: "#icon-waiting", ok: false },
  ];
  return Object.freeze({
    ...leadOf(status, address),
    command: commandFor(status),
    checks: Object.freeze(checks),
  });
}

/** `action`: what must be done first, as the text of a button; "" if requests are recorded. */
function leadOf({ proxy, recording }: Status, address: string) {
  if (!proxy.running) return { lead: "The proxy is stopped.", action: "Start the proxy" };
  if (!recording) return { lead: "Recording is paused.", action: "Resume the recording" };
  return { lead: `Weir is recording on ${address}. Send one request through Weir to see it here.`, action: "" };
}

/** A single command that can be pasted. */
function commandFor({ proxy, certificate }: Status): string {
  const { onWindows, parts } = firstRequest(proxy.address, proxy.port, certificate.bundle);
  return parts.join(onWindows ? " " : " \\\n    ");
}

function mark(ok: boolean): { readonly icon: "#icon-check" | "#icon-info"; readonly ok: boolean } {
  return { icon: ok ? "#icon-check" : "#icon-info", ok };
}

function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
