import { programNamed } from "../../../src/engine/model/program.ts";

/** The facts of a process (proc_pid_comm(5), proc_pid_cmdline(5), proc_pid_exe(5)); "" where they are missing. */
export interface ProcessWords {
  /** At most 15 bytes. */
  readonly comm: string;
  /** Arguments, each followed by NUL. */
  readonly cmdline: string;
  /** The path of the executable. */
  readonly exe: string;
}

/** Linux truncates longer names in `comm` (proc_pid_comm(5)). */
const COMM_LENGTH = 15;

/** An interpreter, an option of it, and the script. */
const FIRST_ARGUMENTS = 3;

/**
 * The name that users know: the executable or script that was started. `comm` has it unless it was truncated, or
 * replaced by a thread's name ("node-MainThread"); then the executable's name is used.
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
