import type { HeaderField } from "../../model/head.ts";
import { isRecord, jsonOf } from "../../model/json.ts";
import type { OperationKind } from "../../model/operation.ts";
import { fieldIn } from "./field-values.ts";

/**
 * Whether a response reports that the operation failed, whatever the status is: GraphQL `errors` (response format,
 * 7.1), JSON-RPC `error` (5.1), or a `grpc-status` other than 0.
 */
export function isApplicationError(kind: OperationKind | null, fields: readonly HeaderField[], body: string): boolean {
  const status = fieldIn(fields, "grpc-status");
  if (status !== null && status.trim() !== "0") return true;
  if (kind !== "graphql" && kind !== "json-rpc") return false;
  if (!/"errors?"/.test(body)) return false;
  const answer = jsonOf(body);
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return items.some((item) => isRecord(item) && (kind === "graphql" ? hasErrors(item) : isRecord(item["error"])));
}

function hasErrors({ errors }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(errors) && errors.length > 0;
}
