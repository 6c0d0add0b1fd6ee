/* docs/specification.md, Exit codes; 0 is a clean end. */
export const BAD_USAGE = 2;
export const PORT_TAKEN = 3;
export const DATA_FOLDER_UNUSABLE = 4;
export const CA_UNUSABLE = 5;
export const INTERNAL_ERROR = 70;
