/** One row of docs/specification.md, Speed limits, judged. */
export interface Verdict {
  readonly must: string;
  readonly measured: string;
  /** `null`: unknown, because a compared subject did not take part. */
  readonly met: boolean | null;
}

/** Judges `value` by a limit; NaN is not judged. `measured`: `value` in words. */
export function atMost(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value <= limit);
}

export function atLeast(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value >= limit);
}

function verdict(must: string, value: number, measured: string, met: boolean): Verdict {
  return Number.isNaN(value) ? { must, measured: "not measured", met: null } : { must, measured, met };
}
