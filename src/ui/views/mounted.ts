/** Members that Alpine adds to a mounted view. */
interface Mounted {
  readonly $refs: Readonly<Record<string, HTMLElement>>;
  readonly $root: HTMLElement;
  $nextTick(run: () => void): void;
}

/** These members as a view. They declare their own types, and `this` within them is the mounted view. */
export function view<Members>(members: Members & ThisType<Members & Mounted>): Members {
  return members;
}
