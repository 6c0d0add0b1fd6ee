import type { ExchangeId } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import type { DelayedBodies } from "../delayed-bodies.ts";
import { atEndpoint, atOrigin, type Context, claimedBy, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { isTransferBound, type LongTransfers, longTransfersOf, transferSpanOf } from "../long-transfers.ts";
import { linesOf, sizeOf } from "../measured-line.ts";
import { savedWaiting } from "../saved-waiting.ts";
import { heldEnough } from "../slow-few.ts";
import { clientOf, counted, inBytes, inMs, inPercent, nameOf } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";
import { waitingOf } from "../waiting.ts";

/** Responses whose body comes late, and clients whose line is slow. */
export function slowTransfer({ traffic, found }: Context): readonly Draft[] {
  const explained = claimedBy(found, ["slow-when", "uncompressed-responses"]);
  const late = traffic.delayedBodies.map((bodies) => delayedDraft(bodies, traffic));
  for (const transfers of longTransfersOf(traffic).values()) {
    const requests = transfers.requests.filter(
      ({ id, acknowledgementDelay }) => !explained.has(id) && acknowledgementDelay === 0,
    );
    if (requests.length === 0) continue;
    if (transfers.cause === "late") late.push(lateDraft({ ...transfers, requests }, traffic));
  }
  return [...late, ...slowLines(traffic, explained)];
}

function slowLines(traffic: Traffic, explained: ReadonlySet<ExchangeId>): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const [client, line] of linesOf(traffic)) {
    const rate = line.slowRate();
    if (rate === null) continue;
    const slow = line.sizable.filter((one) => isTransferBound(one) && !explained.has(one.id));
    if (heldEnough(slow.map(transferSpanOf), traffic)) drafts.push(lineDraft(client, slow, rate, traffic));
  }
  return drafts;
}

function lateDraft({ requests, isCompared }: LongTransfers, { totals }: Traffic): Draft {
  const [first] = requests;
  if (first === undefined) throw new Error("no transfer");
  const time = waitingOf(requests.map(transferSpanOf));
  const transfer = medianOf(requests.map((one) => one.transfer));
  const size = medianOf(requests.map(sizeOf));
  const median = requests.length === 1 ? "" : "a median of ";
  return draftOf({
    kind: "slow-transfer",
    scope: atEndpoint(first),
    time,
    confidence: isCompared ? "certain" : "likely",
    telling: longestTransfers(requests),
    summary: `The body of ${nameOf(first.facts.endpoint)} comes late: its ${inBytes(size)} took ${median}${inMs(transfer)} after the first byte, in ${counted(requests.length, "request")}.`,
    advice:
      "The server sends the head before the body is ready, or sends the body slowly. Look at what it computes or waits for meanwhile; a streamed body is as slow as its source.",
    evidence: figures({
      [requests.length === 1 ? "transfer time" : "median transfer time"]: inMs(transfer),
      [requests.length === 1 ? "size of the body" : "median size of the body"]: inBytes(size),
      "share of all waiting time": inPercent(time / totals.waiting),
    }),
    basis: isCompared
      ? "Up to: the time from the first byte of the response to the last. The client received other bodies at least four times as quickly."
      : "Up to: the time from the first byte of the response to the last. The client received no larger bodies to compare with.",
  });
}

function delayedDraft({ requests, of }: DelayedBodies<Request>, traffic: Traffic): Draft {
  const [first] = requests;
  if (first === undefined) throw new Error("no delayed body");
  const delay = medianOf(requests.map(({ transfer }) => transfer));
  const prompt = new Map(requests.map((one) => [one, one.end - one.start - one.acknowledgementDelay]));
  const bodies =
    requests.length === of ? `All ${of} bodies` : `${requests.length} of ${counted(of, "small body", "small bodies")}`;
  return draftOf({
    kind: "slow-transfer",
    scope: atEndpoint(first),
    time: savedWaiting(traffic, prompt),
    confidence: "likely",
    telling: longestTransfers(requests),
    summary: `${bodies} of ${nameOf(first.facts.endpoint)} came late by about ${inMs(Math.round(delay))}: head and body were sent apart (Nagle and delayed ACK).`,
    advice: "Let the server write head and body at once, or set TCP_NODELAY on its connections.",
    evidence: figures({
      "late bodies": `${requests.length} of ${of}`,
      "median transfer time": inMs(delay),
      "median size of the body": inBytes(medianOf(requests.map(sizeOf))),
    }),
    basis:
      "The time from the first byte of the response to the last, less that of prompt bodies, without what overlaps other requests of the client.",
  });
}

function lineDraft(client: string, requests: readonly Request[], rate: number, { totals }: Traffic): Draft {
  const time = waitingOf(requests.map(transferSpanOf));
  const perSecond = `${inBytes(rate * 1_000)} a second`;
  return draftOf({
    kind: "slow-transfer",
    scope: atOrigin(null, client),
    time,
    confidence: "likely",
    telling: longestTransfers(requests),
    summary: `${clientOf(client)} has a slow line: it received all larger bodies at about ${perSecond}, in ${counted(requests.length, "slow transfer")}.`,
    advice:
      "Look at the network between this client and the servers. Smaller or compressed responses help, or fewer of them.",
    evidence: figures({
      rate: perSecond,
      "slow transfers": requests.length,
      "share of all waiting time": inPercent(time / totals.waiting),
    }),
    basis: "Up to: the transfer time of responses whose transfer took at least half of their latency.",
  });
}

function longestTransfers(requests: readonly Request[]): readonly Request[] {
  return requests.toSorted((left, right) => right.transfer - left.transfer);
}
