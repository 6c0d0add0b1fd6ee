import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import { ExchangeFolder } from "../../src/engine/capture/exchange-folder.ts";
import type { HarSource } from "../../src/engine/interchange/har.ts";
import { eventsOfEntry } from "../../src/engine/interchange/har-import.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { unwrap } from "../../src/engine/model/result.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";

/** The exchange that an imported HAR entry becomes, and what storage would keep of it. */
export function importedFrom(entry: unknown): HarSource {
  const { events, annotation } = unwrap(eventsOfEntry(entry, 1 as ExchangeId));
  const recorder = new ExchangeFolder();
  let exchange: Exchange | null = null;
  for (const event of events) exchange = recorder.fold(event) ?? exchange;
  if (exchange === null) throw new Error("no exchange");
  const program = find(events, "client-named")?.program ?? null;
  const decoded = find(events, "body-decoded")?.size ?? null;
  const body = (side: "request" | "response") => {
    const bytes = events.flatMap((event) =>
      event.type === "body-captured" && event.side === side ? [Buffer.from(event.bytes)] : [],
    );
    return { bytes: Buffer.concat(bytes), cutAt: null, problem: null };
  };
  return {
    exchange: { ...exchange, decodedBodySize: decoded, program },
    requestHead: find(events, "request-started")?.head ?? "",
    responseHead: find(events, "response-started")?.head ?? null,
    requestBody: body("request"),
    initiator: null,
    pageref: find(events, "request-started")?.page ?? null,
    fields: find(events, "request-started")?.fields ?? null,
    responseBody: body("response"),
    serverAddress: find(events, "connection-opened")?.address.replace(/:\d+$/, "") ?? null,
    annotation,
    messages: events.flatMap((event) => (event.type === "message-captured" ? [event] : [])),
  };
}

function find<Type extends CaptureEvent["type"]>(
  events: readonly CaptureEvent[],
  type: Type,
): Extract<CaptureEvent, { type: Type }> | undefined {
  return events.find((event): event is Extract<CaptureEvent, { type: Type }> => event.type === type);
}
