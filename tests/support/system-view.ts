import type { SystemFile, SystemView } from "../../extensions/proxy/data-thread/network/dns/system-files.ts";

/** A system with these files; without further words it has the hosts line of Debian. */
export function systemWith(
  files: Partial<Record<SystemFile, string>>,
  { hostName = "here", hasResolved = false }: { readonly hostName?: string; readonly hasResolved?: boolean } = {},
): SystemView {
  const all: Partial<Record<SystemFile, string>> = { "nsswitch.conf": "hosts: files dns\n", ...files };
  return {
    text: (file) => all[file]?.toLowerCase() ?? null,
    hostName: () => hostName,
    hasResolved: () => hasResolved,
  };
}
