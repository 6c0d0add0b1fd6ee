/** Members that Alpine adds to a mounted view. */
interface Mounted {
  readonly $refs: Readonly<Record<string, HTMLElement>>;
  readonly $root: HTMLElement;
  $nextTick(run: () => void): void;
}

/** A view, as its factory returns it. In its methods, `this` is the mounted view. */
export type View<Members> = Members & ThisType<Members & Mounted>;

/** Makes a view of members that declare their own types. */
export function view<Members>(members: View<Members>): Members {
  return members;
}
