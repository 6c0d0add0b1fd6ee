import { type Endpoint, endpointAt } from "../../model/endpoint.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";
import type { Load } from "./page-loads.ts";

/** What a budget limits of one page load. */
export interface LoadFigures {
  /** The endpoint of the document. */
  readonly page: Endpoint;
  readonly duration: Milliseconds;
  readonly requests: number;
  /** Of response bodies, as transferred. */
  readonly bytes: Bytes;
}

/** The figures of page loads, in their order. */
export function loadFiguresOf(loads: readonly Load[]): readonly LoadFigures[] {
  return loads.map(({ document, requests, end }) => {
    const { method, origin, path, operation } = document.facts.endpoint;
    return Object.freeze({
      page: endpointAt(method, origin, path, operation),
      duration: end - document.start,
      requests: requests.length,
      bytes: requests.reduce((sum, { facts }) => sum + facts.exchange.encodedBodySize, 0),
    });
  });
}
