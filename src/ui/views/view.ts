/** Members that Alpine adds to a mounted view. */
interface Mounted {
  readonly $refs: Readonly<Record<string, HTMLElement>>;
  readonly $root: HTMLElement;
  $nextTick(run: () => void): void;
}

/** Returns `members`. Within them, `this` has the type of the mounted view. */
export function view<Members>(members: Members & ThisType<Members & Mounted>): Members {
  return members;
}
