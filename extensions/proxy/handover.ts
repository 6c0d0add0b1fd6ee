import type { Readable } from "node:stream";
import type { NeutralinoConnection } from "./threads.ts";

/**
 * Reads the one line of JSON that Neutralino gives its extension on stdin and then closes it (neutralino.md section 2).
 * `null`: it said something else, so this is no extension of a native window.
 */
export async function handoverFrom(stdin: Readable): Promise<NeutralinoConnection | null> {
  let text = "";
  for await (const chunk of stdin) text += String(chunk);
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return null;
  const { nlPort, nlToken, nlConnectToken, nlExtensionId } = value as Record<string, unknown>;
  const port = Number(nlPort);
  if (!Number.isInteger(port) || typeof nlToken !== "string" || typeof nlConnectToken !== "string") return null;
  if (typeof nlExtensionId !== "string") return null;
  return { port, token: nlToken, connectToken: nlConnectToken, extensionId: nlExtensionId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
