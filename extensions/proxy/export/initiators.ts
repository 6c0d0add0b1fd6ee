import { urlOf } from "../../../src/engine/interchange/url.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { Timeslicer } from "../process/timeslicer.ts";
import { checkOpen, type ExportSource } from "./export-source.ts";
import { linkedFactsOf } from "./linked-facts.ts";

/**
 * The URL of the page, script or style sheet that was proven to cause a request, by that request. A redacted export
 * leaves out their bodies, from which this is known.
 */
export async function initiatorsOf(source: ExportSource): Promise<ReadonlyMap<ExchangeId, string>> {
  const { session, reader, settings } = source;
  const found = new Map<ExchangeId, string>();
  if (reader === null || !holdsDocuments(source)) return found;
  const slices = new Timeslicer();
  const { links, facts } = await linkedFactsOf(session, reader, settings.chainGap, () => {
    checkOpen(source);
    return slices.pause();
  });
  const urls = new Map(facts.map(({ exchange }) => [exchange.id, urlOf(exchange)]));
  for (const { from, to, basis } of links) {
    const url = urls.get(from);
    if (basis === "initiator" && url !== undefined) found.set(to, url);
  }
  return found;
}

function holdsDocuments({ session: { table } }: ExportSource): boolean {
  for (let row = table.firstRow; row < table.nextRow; row += 1)
    if (/html|javascript|ecmascript|css|svg/.test(table.viewAt(row).contentType ?? "")) return true;
  return false;
}
