import { constants } from "node:os";

/**
 * Exit codes of a program that was ended on purpose: 129 (SIGHUP), 130 (SIGINT, or Neutralino's `app.killProcess` by
 * the extension), 143 (SIGTERM), on Windows 137 (`app.killProcess`).
 */
export const TOLD_TO_END: readonly number[] = [129, 130, 143];
const TOLD_ON_WINDOWS = 137;

/** The exit code of `weir start` if the window's program crashed or was killed. */
const WINDOW_FAILED = 1;

/**
 * How a start ends whose window has ended: its exit code, and a sentence for the terminal if something failed. `code`:
 * that of the window's program, or 128 plus the number of the signal that ended it. `null`: the window failed before
 * its page was shown.
 */
export function windowEnd(
  code: number,
  isShown: boolean,
  platform: NodeJS.Platform = process.platform,
): { readonly code: number; readonly said: string | null } | null {
  const isWanted = TOLD_TO_END.includes(code) || (platform === "win32" && code === TOLD_ON_WINDOWS);
  if (code === 0 || isWanted) return { code: 0, said: null };
  if (!isShown) return null;
  const how = signalNameOf(code) ?? `code ${code}`;
  return {
    code: WINDOW_FAILED,
    said: `Weir's window ended unexpectedly (${how}), and Weir with it. Recordings are kept.`,
  };
}

/** The signal of an exit code that is 128 plus its number; `null` for any other code. */
export function signalNameOf(code: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
}
