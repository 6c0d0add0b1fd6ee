import type { Status } from "../../engine/messages/status-messages.ts";
import { MOST_CERTIFICATES_TEXT } from "../../engine/model/setting-rules.ts";
import type { ViewDependencies } from "./dependencies.ts";

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Adds the certificates of a CA file, PEM or DER, for verifying this host. Nothing else of the file is sent, such as a
 * key. Resolves to a problem as a sentence, "" if there is none.
 */
export async function addAuthority(
  { commands, announce }: Pick<ViewDependencies, "commands" | "announce">,
  status: Status | null,
  host: string,
  file: File,
): Promise<string> {
  if (status === null) return "";
  if (file.size > MOST_CERTIFICATES_TEXT) return `${file.name} is too large for a CA file.`;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { hostAuthorities } = status.settings;
  const added = { host, file: file.name.slice(0, 200), certificates: certificatesIn(bytes) };
  const reply = await commands.send({
    type: "set-setting",
    key: "hostAuthorities",
    value: [...hostAuthorities, added],
  });
  if (!reply.ok) return reply.problem;
  announce(`Certificates of ${host} are now verified by ${file.name}, too. Undo this in Settings, Certificate.`);
  return "";
}

/** The certificates as PEM. Bytes without PEM are taken for one certificate in DER. */
export function certificatesIn(bytes: Uint8Array): string {
  const blocks = new TextDecoder("latin1").decode(bytes).match(BLOCK);
  if (blocks !== null) return `${blocks.join("\n")}\n`;
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
