/* Every judgement on traffic has its line here. */
export { isOversized } from "./oversized-responses.ts";
export { slowCauseOf, slowLimitOf, slowRequestOf } from "./slow-requests.ts";
