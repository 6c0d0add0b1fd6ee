import { type EndpointParts, pathOf } from "../../model/endpoint.ts";
import { PLACEHOLDER, segmentsOf } from "../path-templates.ts";

/** Whether a request, by its method, origin and target, is one of the endpoint, whose path may be a template. */
export function isRequestOf(
  request: { readonly method: string; readonly origin: string; readonly target: string },
  { method, origin, path }: EndpointParts,
): boolean {
  if (request.method !== method || request.origin !== origin) return false;
  const own = pathOf(request.target);
  if (!path.includes(PLACEHOLDER)) return own === path;
  const [segments, wanted] = [segmentsOf(own), segmentsOf(path)];
  return segments.length === wanted.length && wanted.every((part, at) => part === PLACEHOLDER || part === segments[at]);
}
