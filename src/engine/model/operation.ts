/** Protocols whose requests to one URL name an operation; stored by their names. */
export const OPERATION_KINDS = ["graphql", "json-rpc", "soap"] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `name`: as docs/specification.md, Operations, names it; `null` for a GraphQL document without any name. */
export interface Operation {
  readonly kind: OperationKind;
  readonly name: string | null;
}

/** docs/specification.md, Operations: the largest number per path; the rest are pooled. */
export const MOST_OPERATIONS = 200;
export const POOLED_OPERATION = "(other operations)";
