import type { Bytes, Milliseconds } from "../../../model/units.ts";
import type { Group } from "../../grouped.ts";
import { atEndpoint, type Context, draftOf, draftsByEndpoint, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { sizeOf } from "../measured-line.ts";
import { sumOf } from "../numbers.ts";
import { isPart, requestField } from "../request.ts";
import { counted, inBytes, inMs, inPercent, nameOf } from "../text.ts";
import { isAwaited, type Request } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** docs/specification.md, uncompressed-responses: compressing a body that fits into one packet gains nothing. */
const LEAST_SIZE: Bytes = 1_400;

/** Text sent uncompressed to a client that accepts a coding. */
export function uncompressedResponses({ traffic }: Context): readonly Draft[] {
  return draftsByEndpoint(traffic.requests.filter(isCompressible), draftFor);
}

function draftFor(own: Group<Request>): Draft {
  const [first] = own;
  const size = sumOf(own, sizeOf);
  const bytes = sumOf(own, savedBytesOf);
  const time = waitingOf(
    own.map((request) => ({ client: request.client, start: request.end - savedTimeOf(request), end: request.end })),
  );
  return draftOf({
    kind: "uncompressed-responses",
    scope: atEndpoint(first),
    time,
    bytes,
    confidence: "certain",
    telling: own.toSorted((left, right) => savedBytesOf(right) - savedBytesOf(left)),
    summary: `${nameOf(first.facts.endpoint)} returned ${counted(own.length, "uncompressed response")}; compression could save about ${inBytes(bytes)} of ${inBytes(size)}.`,
    advice: "Switch on compression (gzip, br or zstd) for this content type on the server or its reverse proxy.",
    evidence: figures({
      sent: inBytes(size),
      "could be saved": `${inBytes(bytes)} (${inPercent(bytes / size)})`,
      "transfer time that could be saved": inMs(time),
    }),
    basis:
      "Weir compressed a sample of the bodies to estimate the savings. The time follows from each response's own transfer rate.",
  });
}

function isCompressible(request: Request): boolean {
  const { encodedBodySize, contentEncoding } = request.facts.exchange;
  if (request.facts.responseBody.compressed === null || encodedBodySize < LEAST_SIZE || !isAwaited(request))
    return false;
  if (contentEncoding !== null && contentEncoding !== "identity") return false;
  return !isPart(request) && CODING.test(requestField(request, "accept-encoding") ?? "");
}

const CODING = /\b(?:gzip|br|zstd|deflate)\b(?!\s*;\s*q=0(?:\.0+)?(?:\s|,|$))/i;

function savedBytesOf(request: Request): Bytes {
  return Math.max(0, sizeOf(request) - (request.facts.responseBody.compressed ?? sizeOf(request)));
}

function savedTimeOf(request: Request): Milliseconds {
  return (request.transfer * savedBytesOf(request)) / sizeOf(request);
}
