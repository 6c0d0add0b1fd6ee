/** A judged row of docs/specification.md, Speed limits. */
export interface Verdict {
  readonly must: string;
  readonly measured: string;
  /** `null`: not judged, because a subject to compare with did not take part. */
  readonly met: boolean | null;
}

/** Judges `value` by an upper limit; NaN is not judged. `measured`: the value in words. */
export function atMost(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value <= limit);
}

export function atLeast(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value >= limit);
}

function verdict(must: string, value: number, measured: string, met: boolean): Verdict {
  return Number.isNaN(value) ? { must, measured: "not measured", met: null } : { must, measured, met };
}
