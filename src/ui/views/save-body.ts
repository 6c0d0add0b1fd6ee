import type { ExchangeId } from "../../engine/model/units.ts";
import { saveFile } from "../parts/save-file.ts";
import { Body } from "../state/bodies.ts";
import { detailOf } from "./context-menu.ts";
import type { ViewDependencies } from "./dependencies.ts";

/** The most characters of a file's name that come from a URL. */
const LONGEST_NAME = 80;

/** Saves the decoded response body of an exchange as a file, and announces the outcome. */
export async function saveBody(
  { windows, commands, announce }: Pick<ViewDependencies, "windows" | "commands" | "announce">,
  exchange: ExchangeId,
): Promise<void> {
  const detail = await detailOf(windows, exchange);
  if (detail === null) return announce("This exchange is no longer in the list.");
  if (detail.responseBody.kept === 0) return announce("This response has no stored body.");
  const body = new Body(commands, exchange, "response");
  await body.load(Number.POSITIVE_INFINITY);
  if (!body.whole) return announce(body.problem ?? "The body could not be read. Try again.");
  const name = bodyFileName(detail.exchange.target, exchange);
  const saved = saveFile(new Blob([new Uint8Array(body.bytes)], { type: "application/octet-stream" }), name);
  const lack = detail.responseBody.kept < detail.responseBody.size ? " Weir kept only its beginning." : "";
  announce(`${saved}${lack}${body.problem === null ? "" : ` ${body.problem}`}`);
}

/**
 * A name that is no path, no hidden file and no reserved name: from the last segment of a target, else the exchange.
 */
export function bodyFileName(target: string, exchange: ExchangeId): string {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  const last = path.slice(path.lastIndexOf("/") + 1).slice(-LONGEST_NAME);
  const plain = last.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^[.-]+|[.-]+$/g, "");
  return plain === "" ? `response-${exchange}` : `${exchange}-${plain}`;
}
