import type { Bytes } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { groupedBy } from "../../grouped.ts";
import { atEndpoint, atOrigin, type Context, draftOf, draftsByEndpoint, figures, longestFirst } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sumOf } from "../numbers.ts";
import { clientOf, counted, inBytes, inMs, nameOf, quoted } from "../text.ts";
import { isAwaited, linesSizeOf, type Request, type Traffic } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, large-requests. */
const LEAST_SHARE = 0.5;
const LARGE_HEAD: Bytes = 4 * 1024;

/**
 * The smallest body of an upload (`LEAST_BODY`). Large heads are reported if they are in at least `LEAST_REQUESTS`
 * requests, and in at least the share `LEAST_SHARE_OF_HEADS` of all.
 */
const LEAST_BODY: Bytes = 16 * 1024;
const LEAST_REQUESTS = 5;
const LEAST_SHARE_OF_HEADS = 0.8;

/** The fewest uploads of a client that uploads in bulk, and their least share of its requests. */
const LEAST_BULK = 10;
const LEAST_SHARE_OF_BULK = 0.8;

/** Uploads that take most of the latency, and large headers, such as cookies, in nearly every request. */
export function largeRequests({ traffic }: Context): readonly Draft[] {
  const large = traffic.requests.filter(isLargeUpload);
  const bulk = bulkClientsIn(traffic, large);
  const bodies = uploadsIn(large.filter(({ client }) => !bulk.has(client)));
  return [...bodies, ...headsIn(traffic.routes.values())];
}

/** The clients that do little else than upload, each file to a place of its own, as a backup does. */
function bulkClientsIn({ byClient }: Traffic, large: readonly Request[]): ReadonlySet<string> {
  const uploads = groupedBy(large, ({ client }) => client);
  const isBulk = (own: readonly Request[], client: string) => {
    const urls = new Set(own.map(({ origin, facts }) => origin + facts.exchange.target));
    const all = byClient.get(client)?.length ?? 0;
    return own.length >= LEAST_BULK && urls.size === own.length && own.length >= LEAST_SHARE_OF_BULK * all;
  };
  return new Set([...uploads].flatMap(([client, own]) => (isBulk(own, client) ? [client] : [])));
}

function isLargeUpload(request: Request): boolean {
  const { upload, start, end, facts } = request;
  return facts.exchange.requestBodySize >= LEAST_BODY && upload >= LEAST_SHARE * (end - start) && isAwaited(request);
}

function uploadsIn(large: readonly Request[]): readonly Draft[] {
  return draftsByEndpoint(large, (own) => {
    const [first] = own;
    const time = waitingOf(
      own.map(({ client, facts, start, upload }) => {
        const from = facts.exchange.instants.requestStart ?? start;
        return { client, start: from, end: from + upload };
      }),
    );
    const sizes = own.map(({ facts }) => facts.exchange.requestBodySize);
    return draftOf({
      kind: "large-requests",
      scope: atEndpoint(first),
      time,
      bytes: sumOf(sizes, (size) => size),
      confidence: "certain",
      telling: longestFirst(own),
      summary: `${nameOf(first.facts.endpoint)} received ${counted(own.length, "large body", "large bodies")} (median ${inBytes(medianOf(sizes))}); the uploads took ${inMs(time)}.`,
      advice:
        "Let the client send less: compress the body or send only what has changed. Or let it upload in the background.",
      evidence: figures({
        uploads: own.length,
        "median size": inBytes(medianOf(sizes)),
        "time of the uploads": inMs(time),
      }),
      basis: "Up to: the upload time of requests whose upload took at least half of their latency.",
    });
  });
}

function headsIn(routes: Iterable<readonly Request[]>): readonly Draft[] {
  return [...routes].flatMap((own) => {
    const large = own.filter((request) => headOf(request) >= LARGE_HEAD);
    const [first] = large;
    if (first === undefined || large.length < LEAST_REQUESTS || large.length < LEAST_SHARE_OF_HEADS * own.length)
      return [];
    const bytes = sumOf(large, headOf);
    const median = medianOf(large.map(headOf));
    const { name, size } = largestField(first);
    return [
      draftOf({
        kind: "large-requests",
        scope: atOrigin(first.origin, first.client),
        time: null,
        bytes,
        confidence: "certain",
        telling: large.toSorted((left, right) => headOf(right) - headOf(left)),
        summary: `${clientOf(first.client)} sent ${counted(large.length, "request")} with large headers (median ${inBytes(median)}) to ${first.origin}.`,
        advice: `Shrink the largest header (${quoted(name)}), or leave this header out of requests that do not need it.`,
        evidence: figures({
          "median size of a request's headers": inBytes(median),
          "size of all these headers": inBytes(bytes),
          "largest header": `${quoted(name)}, ${inBytes(size)}`,
        }),
        basis: "The sizes of header lines as HTTP/1.1 sends them. HTTP/2 compresses repeated header lines.",
      }),
    ];
  });
}

function headOf({ facts }: Request): Bytes {
  return linesSizeOf(facts.requestFields);
}

function largestField({ facts }: Request): { readonly name: string; readonly size: Bytes } {
  const sizes = facts.requestFields.map((field) => ({ name: field.name, size: linesSizeOf([field]) }));
  return sizes.sort((left, right) => right.size - left.size)[0] ?? { name: "", size: 0 };
}
