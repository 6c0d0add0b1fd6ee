import { attributeName } from "../../../engine/insights/findings/slow-when/attribute-text.ts";
import { LEAST_OF_A_SET, type SetDifference } from "../../../engine/messages/difference-messages.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { attributeFilterOf } from "../attribute-filter.ts";

export type DifferenceTexts = ReturnType<typeof differenceTextsOf>;

/** A found difference as texts. `name`: the chosen set in words. */
export function differenceTextsOf(found: SetDifference, name: string) {
  const { chosen, others, leftOut, endpoint, endpoints, attributes, tried } = found;
  const where =
    endpoint === null
      ? `the ${countPhrase(others, "other request", "other requests")} of their ${countText(endpoints)} endpoints`
      : `${countPhrase(others, "other request", "other requests")} of ${endpoint.method} ${endpoint.path}`;
  return Object.freeze({
    /** "36 requests of GET /orders, against its 300 others" */
    subject: `${name}, compared with ${where}`,
    rows: attributes.map((attribute) =>
      Object.freeze({
        name: attributeName(attribute),
        chosen: `${countText(attribute.chosen)} of ${countText(chosen)}`,
        others: `${countText(attribute.others)} of ${countText(others)}`,
        filter: attributeFilterOf({ endpoint, attribute }),
      }),
    ),
    /** Why there are no rows; "" if there are some. */
    nothing: attributes.length > 0 ? "" : nothingText(chosen, others, endpoints),
    notes: [
      ...(tried === 0 || attributes.length === 0
        ? []
        : [`Significant after correction for ${countPhrase(tried, "comparison", "comparisons")}.`]),
      ...(leftOut === 0
        ? []
        : [
            `${countPhrase(leftOut, "exchange was", "exchanges were")} left out: no statistic counts them, or they run.`,
          ]),
    ],
  });
}

function nothingText(chosen: number, others: number, endpoints: number): string {
  if (chosen < LEAST_OF_A_SET)
    return `At least ${LEAST_OF_A_SET} requests are needed; ${countText(chosen)} can be compared. Choose more.`;
  if (others < LEAST_OF_A_SET) {
    const whose = endpoints === 1 ? "Its endpoint has" : "Their endpoints have";
    return `${whose} ${countPhrase(others, "other request", "other requests")}, and at least ${LEAST_OF_A_SET} are needed. Choose fewer.`;
  }
  return "Nothing significant: no attribute is clearly more frequent here than elsewhere.";
}
