import { programNamed } from "../../../../src/engine/model/program.ts";

/** The names that Linux has for a process (proc_pid_comm(5), proc_pid_cmdline(5), proc_pid_exe(5)); "" if missing. */
export interface ProcessWords {
  /** The process's name, at most 15 bytes. */
  readonly comm: string;
  /** The arguments, each followed by NUL. */
  readonly cmdline: string;
  readonly exe: string;
}

/** Linux truncates longer names in `comm` (proc_pid_comm(5)). */
const COMM_LENGTH = 15;

/** The number of arguments that are examined: an interpreter, one of its options, and the script. */
const FIRST_ARGUMENTS = 3;

/**
 * The name by which users know the program: the executable or script that was started. `comm` is this name, but may be
 * truncated; then an argument completes it. If no argument begins with `comm`, as with a thread's name
 * ("node-MainThread"), the executable's name is used.
 */
export function programNameOf({ comm, cmdline, exe }: ProcessWords): string | null {
  const name = comm.replace(/\n$/, "");
  const started = cmdline.split("\0", FIRST_ARGUMENTS).map(baseOf);
  const whole = name === "" ? undefined : started.find((word) => word.startsWith(name));
  if (whole !== undefined) return programNamed(name.length < COMM_LENGTH ? name : whole);
  return programNamed(baseOf(exe.replace(/ \(deleted\)$/, ""))) ?? programNamed(name);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
