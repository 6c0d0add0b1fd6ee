import type { TrafficRecord } from "../../../engine/messages/traffic-messages.ts";
import { pathOf } from "../../../engine/model/endpoint.ts";
import { keyedTerm } from "../filter-term.ts";
import type { ColumnName } from "./columns.ts";

/** The filter's term for what a column shows; `null` if it shows nothing, or nothing that a filter can say. */
export function cellTermOf(column: ColumnName, record: TrafficRecord): string | null {
  const { method, status, errorType, target, contentType, encodedBodySize, latency, protocol, tags } = record;
  switch (column) {
    case "method":
      return keyedTerm("method", method);
    case "status":
      if (errorType !== null) return "error:";
      return status === null ? null : keyedTerm("status", String(status));
    case "path":
      // A target that is no path, such as a CONNECT's, names its host itself.
      return target.startsWith("/") ? keyedTerm("path", pathOf(target)) : null;
    case "type":
    case "mime":
      if (tags.includes("websocket")) return "ws:";
      return contentType === null ? null : keyedTerm("type", contentType.split(";", 1)[0]?.trim() ?? "");
    case "protocol":
      return keyedTerm("protocol", protocol);
    case "client":
      return keyedTerm("client", record.program ?? record.client);
    case "size":
      return record.inFlight ? null : `size>=${encodedBodySize}`;
    case "latency":
      return latency === null ? null : `latency>=${Math.floor(latency)}`;
    case "comment":
      return keyedTerm("comment", record.comment);
    case "number":
    case "started":
    case "server":
    case "requestSize":
    case "dns":
    case "connect":
    case "tls":
    case "ttfb":
    case "transfer":
    case "weir":
    case "phases":
      return null;
  }
}
