/** Protocols whose requests to one URL name an operation. Stored by these names. */
export const OPERATION_KINDS = ["graphql", "json-rpc", "soap"] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `name`: by the rules of docs/specification.md, Operations; `null` for a GraphQL document without a name. */
export interface Operation {
  readonly kind: OperationKind;
  readonly name: string | null;
}

/** docs/specification.md, Operations: the most operations per path; further ones are pooled. */
export const MOST_OPERATIONS = 200;
export const POOLED_OPERATION = "(other operations)";
