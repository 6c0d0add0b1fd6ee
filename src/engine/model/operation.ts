/** Protocols whose requests share one URL and name an operation. Weir stores these names. */
export const OPERATION_KINDS = ["graphql", "json-rpc", "soap"] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `name` follows docs/specification.md, Operations; it is `null` for a GraphQL document without a name. */
export interface Operation {
  readonly kind: OperationKind;
  readonly name: string | null;
}

/** docs/specification.md, Operations: the most operations per path. Further operations count as `POOLED_OPERATION`. */
export const MOST_OPERATIONS = 200;
export const POOLED_OPERATION = "(other operations)";
