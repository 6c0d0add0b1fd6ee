/** What a mounted view finds on `this` beside its own members. */
interface Mounted {
  readonly $refs: Readonly<Record<string, HTMLElement>>;
  readonly $root: HTMLElement;
  $nextTick(run: () => void): void;
}

/** A view as its factory gives it: `this` within is the view as mounted. */
export type View<Members> = Members & ThisType<Members & Mounted>;
