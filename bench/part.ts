import type { Child } from "./child.ts";
import type { Job } from "./programs/job.ts";
import type { Environment, Subject } from "./subject.ts";
import type { Verdict } from "./verdict.ts";
import type { RunningWeir } from "./weir.ts";

/** One measurement of a subject: figures by name. */
export type Figures = Readonly<Record<string, number>>;

/** Medians over several rounds. */
export interface Row {
  readonly subject: string;
  readonly figures: Figures;
}

export interface Table {
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
}

/** What all parts share. All subjects run; one is measured at a time. */
export interface Field {
  readonly environment: Environment;
  readonly subjects: readonly Subject[];
  readonly weir: RunningWeir;
  readonly load: Child<unknown>;
  readonly rounds: number;
  /** The number of rows in the session, for parts that need a large session. */
  readonly rows: number;
  /** The length of parts that run for a time. */
  readonly minutes: number;
}

/** A scenario that is measured for all subjects or for some. */
export interface Part {
  readonly name: string;
  readonly title: string;
  measure(field: Field): Promise<Table>;
}

/** Sends a job to the load generator. */
export async function ask<Answer>({ load }: Field, job: Job): Promise<Answer> {
  return load.ask<Answer>(job);
}
