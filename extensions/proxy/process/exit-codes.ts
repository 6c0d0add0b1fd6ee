/* docs/specification.md, Exit codes; 0 is a clean end. */
/** Of `weir check`. */
export const BUDGET_BROKEN = 1;
export const BAD_USAGE = 2;
export const PORT_TAKEN = 3;
export const DATA_FOLDER_UNUSABLE = 4;
export const CA_UNUSABLE = 5;
/** Of `weir check`: too few requests to tell. */
export const TOO_FEW = 6;
export const INTERNAL_ERROR = 70;
