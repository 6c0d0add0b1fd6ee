/** One line of wire.md's table, judged. */
export interface Verdict {
  readonly must: string;
  readonly measured: string;
  /** `null`: not told, since what it is compared with took no part. */
  readonly met: boolean | null;
}

/** `measured` is `value` in words; one that is NaN is not judged. */
export function atMost(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value <= limit);
}

export function atLeast(must: string, limit: number, value: number, measured: string): Verdict {
  return verdict(must, value, measured, value >= limit);
}

function verdict(must: string, value: number, measured: string, met: boolean): Verdict {
  return Number.isNaN(value) ? { must, measured: "not measured", met: null } : { must, measured, met };
}
