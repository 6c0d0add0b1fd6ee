import type { Initiator } from "../interchange/har-fields.ts";
import { urlOf } from "../interchange/url.ts";
import type { ExchangeId } from "../model/units.ts";
import type { ExportSource } from "./export-source.ts";
import { linkedFactsOf } from "./linked-facts.ts";
import type { Between } from "./linked-session.ts";

/**
 * The page, script or style sheet that was proven to cause a request, by that request. Without it, its body would have
 * to be read again, which a redacted export leaves out. `pause`: lets other work run.
 */
export async function initiatorsOf(source: ExportSource, pause: Between): Promise<ReadonlyMap<ExchangeId, Initiator>> {
  const { session, reader, settings } = source;
  const found = new Map<ExchangeId, Initiator>();
  if (reader === null || !holdsDocuments(source)) return found;
  const { links, facts } = await linkedFactsOf(session, reader, settings.chainGap, pause);
  const byId = new Map(facts.map(({ exchange }) => [exchange.id, exchange]));
  for (const { from, to, basis } of links) {
    const cause = byId.get(from);
    if (basis !== "initiator" || cause === undefined) continue;
    found.set(to, { url: urlOf(cause), isScript: /javascript|ecmascript/.test(cause.contentType ?? "") });
  }
  return found;
}

function holdsDocuments({ session: { table } }: ExportSource): boolean {
  for (let row = table.firstRow; row < table.nextRow; row += 1)
    if (/html|javascript|ecmascript|css|svg/.test(table.viewAt(row).contentType ?? "")) return true;
  return false;
}
