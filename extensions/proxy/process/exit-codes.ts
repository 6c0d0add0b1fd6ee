/* What this process tells the one that started it. */

/* Exit codes, as in docs/specification.md; 0 is a clean end. */
/** `weir check`: a limit of the budget was exceeded. */
export const BUDGET_BROKEN = 1;
export const BAD_USAGE = 2;
export const PORT_TAKEN = 3;
export const DATA_FOLDER_UNUSABLE = 4;
export const CA_UNUSABLE = 5;
/** `weir check`, `weir experiment`: too few requests for a verdict. */
export const TOO_FEW = 6;
export const INTERNAL_ERROR = 70;
/** For commands that write a file or standard output. */
export const OUTPUT_UNWRITABLE = 73;
/** Of the window's extension: the user wants the engine started again. The loop in neutralino.config.json reads it. */
export const START_AGAIN = 75;

/* Messages, without a native window. */
/** Another start asks for the window. */
export const SHOW = "show";
/** This process ends, so it must not be started again if it is killed meanwhile. */
export const ENDING = "ending";
