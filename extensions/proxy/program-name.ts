import { programNamed } from "../../src/engine/model/program.ts";

/** What a process says of itself (proc_pid_comm(5), proc_pid_cmdline(5), proc_pid_exe(5)); "" where it does not. */
export interface ProcessWords {
  /** At most 15 letters. */
  readonly comm: string;
  /** Arguments, each followed by NUL. */
  readonly cmdline: string;
  /** The path of the executable. */
  readonly exe: string;
}

/** Longer, and it is cut. */
const COMM_LENGTH = 15;

/** An interpreter, an option of it, and the script. */
const FIRST_ARGUMENTS = 3;

/**
 * As a person calls it: what was started, executable or script. Its `comm` is that, but may be cut, or may have become the
 * name of a thread ("node-MainThread"): then the executable's name is it.
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
