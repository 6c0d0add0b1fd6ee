import type { Readable } from "node:stream";
import { jsonOf } from "../../../src/engine/model/json.ts";
import type { NeutralinoConnection } from "../threads.ts";

/**
 * Reads the line of JSON that Neutralino writes to its extension's stdin before closing stdin. `null`: the input is
 * something else, so no native window started us.
 */
export async function readEngineHandoff(stdin: Readable): Promise<NeutralinoConnection | null> {
  let text = "";
  for await (const chunk of stdin) text += String(chunk);
  const value = jsonOf(text);
  if (typeof value !== "object" || value === null) return null;
  const { nlPort, nlToken, nlConnectToken, nlExtensionId } = value as Record<string, unknown>;
  const port = Number(nlPort);
  if (!Number.isInteger(port) || typeof nlToken !== "string" || typeof nlConnectToken !== "string") return null;
  if (typeof nlExtensionId !== "string") return null;
  return { port, token: nlToken, connectToken: nlConnectToken, extensionId: nlExtensionId };
}
