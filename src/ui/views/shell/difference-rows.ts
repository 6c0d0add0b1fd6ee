import { attributeName } from "../../../engine/insights/findings/slow-when/attribute-text.ts";
import { LEAST_OF_A_SET, type SetDifference, type SetLatency } from "../../../engine/messages/difference-messages.ts";
import { endpointKeyOf } from "../../../engine/model/endpoint.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { attributeFilterOf } from "../attribute-filter.ts";

export type DifferenceTexts = ReturnType<typeof differenceTextsOf>;

/** A found difference as texts. `name`: the chosen set in words. */
export function differenceTextsOf(found: SetDifference, name: string) {
  const { chosen, others, leftOut, endpoint, endpoints, latencies, latenciesTried, attributes, tried } = found;
  const where =
    endpoint === null
      ? `the ${countPhrase(others, "other request", "other requests")} of their ${countText(endpoints)} endpoints`
      : `${countPhrase(others, "other request", "other requests")} of ${endpoint.method} ${endpoint.path}`;
  return Object.freeze({
    /** "36 requests of GET /orders, against its 300 others" */
    subject: `${name}, compared with ${where}`,
    rows: [
      ...latencies.map(latencyRow),
      ...attributes.map((attribute) =>
        Object.freeze({
          name: attributeName(attribute),
          chosen: `${countText(attribute.chosen)} of ${countText(chosen)}`,
          others: `${countText(attribute.others)} of ${countText(others)}`,
          filter: attributeFilterOf({ endpoint, attribute }),
        }),
      ),
    ],
    /** Why there are no rows; "" if there are some. */
    nothing: attributes.length + latencies.length > 0 ? "" : nothingText(chosen, others, endpoints),
    notes: [
      ...correctionNotes(attributes.length === 0 ? 0 : tried, latencies.length === 0 ? 0 : latenciesTried),
      ...(leftOut === 0
        ? []
        : [
            `${countPhrase(leftOut, "exchange was", "exchanges were")} left out: no statistic counts them, or they run.`,
          ]),
    ],
  });
}

function latencyRow({ endpoint, chosen, others }: SetLatency) {
  const { method, path, operation } = endpoint;
  const name = endpointKeyOf(endpoint);
  const textOf = ({ requests, median }: SetLatency["chosen"]) =>
    `${durationText(median)} ms (n = ${countText(requests)})`;
  return Object.freeze({
    name: `Median latency of ${method} ${path}${operation === null ? "" : ` · ${operation}`}`,
    chosen: textOf(chosen),
    others: textOf(others),
    filter: name.includes('"') ? "" : `endpoint:"${name}"`,
  });
}

/** For how many comparisons the tests behind the rows were corrected; 0: there is no such row. */
function correctionNotes(attributes: number, latencies: number): readonly string[] {
  const phrases = [
    ...(attributes === 0 ? [] : [countPhrase(attributes, "comparison", "comparisons")]),
    ...(latencies === 0 ? [] : [countPhrase(latencies, "latency", "latencies")]),
  ];
  return phrases.length === 0 ? [] : [`Significant after correction for ${phrases.join(", and for ")}.`];
}

function nothingText(chosen: number, others: number, endpoints: number): string {
  if (chosen < LEAST_OF_A_SET)
    return `At least ${LEAST_OF_A_SET} requests are needed; ${countText(chosen)} can be compared. Choose more.`;
  if (others < LEAST_OF_A_SET) {
    const whose = endpoints === 1 ? "Its endpoint has" : "Their endpoints have";
    return `${whose} ${countPhrase(others, "other request", "other requests")}, and at least ${LEAST_OF_A_SET} are needed. Choose fewer.`;
  }
  return "Nothing significant: no attribute is clearly more frequent here than elsewhere, and no latency differs.";
}
