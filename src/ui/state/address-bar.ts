import { addressOf, DEFAULT_SORT, locationAt, locationOf, type ViewLocation } from "./address.ts";
import type { Commands } from "./commands.ts";
import type { Selected, Selection } from "./selection.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** The part of the browser that the address bar is made of; tests replace it. */
export interface BrowserHistory {
  /** The fragment in the address bar, with its `#`. */
  readonly fragment: string;
  /** `isNew`: adds an entry to the history, else changes the latest one. */
  write(fragment: string, isNew: boolean): void;
  /** Calls `listener` when the user goes back or forward, or changes the address by hand. */
  onMove(listener: () => void): void;
  /** Calls `listener` for each input of the user. */
  onInput(listener: () => void): void;
  /** Calls `listener` when the user begins something new: at a press, and when the focus moves. */
  onTurn(listener: () => void): void;
}

interface AddressBarOptions {
  readonly selection: Selection;
  readonly windows: SubscriptionStore;
  readonly commands: Commands;
  readonly announce: (text: string) => void;
  readonly history: BrowserHistory;
}

/** Ms between two changes of one entry, since browsers refuse more than 100 changes in 10 s. */
const PAUSE_MS = 150;

/** Fields whose consecutive changes, by keys alone, share one entry of the history. */
const CONTINUED: readonly (keyof ViewLocation)[] = ["filter", "exchange", "endpoint", "between", "finding"];

/**
 * Keeps the address and the window's state equal. What the user does adds an entry to the history; what happens by
 * itself, each further letter of a filter, and each further step of the arrow keys change the latest entry.
 */
export class AddressBar {
  readonly #options: AddressBarOptions;
  #location: ViewLocation;
  /** The field that the latest entry is about, while keys alone change it. */
  #continued: keyof ViewLocation | null = null;
  /** Whether there was input since the latest entry. */
  #isTouched = false;
  #isDue = false;
  /** The number of places gone to; only the latest one is shown. */
  #moves = 0;
  /** Whether a location is being shown, whose session may still be read. */
  #isMoving = false;
  #waiting: string | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #stored: string | null = null;
  readonly #shown: Promise<void>;

  /** Shows the location of the address. The exchange and the range of a stored session follow once it is open. */
  constructor(options: AddressBarOptions) {
    this.#options = options;
    const { selection, windows, history } = options;
    this.#shown = new Promise((resolve) => {
      const shown = windows.value({ view: "shown" }, () => {
        if (shown.value === undefined) return;
        if (shown.value.kind !== "opening") this.#stored = shown.value.kind === "stored" ? shown.value.session : null;
        this.#changed();
        resolve();
      });
    });
    const first = locationAt(history.fragment);
    this.#location = first;
    selection.set(changeTo(first.session === null ? first : unbound(first)));
    if (first.session !== null) void this.#go(first);
    selection.watch(() => this.#changed());
    history.onMove(() => void this.#go(locationAt(history.fragment)));
    history.onInput(() => {
      this.#isTouched = true;
    });
    history.onTurn(() => {
      this.#continued = null;
    });
    this.#changed();
  }

  /** The fragment that leads to the location that is shown, in this session. */
  get link(): string {
    const { now } = this.#options.selection;
    const location = locationOf(now, this.#stored);
    return addressOf({ ...location, session: location.session ?? now.session });
  }

  /** Shows the location of a link, as a new entry of the history. */
  async open(fragment: string): Promise<void> {
    this.#settle();
    const location = locationAt(fragment);
    this.#options.history.write(addressOf(location), true);
    await this.#go(location);
  }

  async #go(location: ViewLocation): Promise<void> {
    this.#moves += 1;
    const move = this.#moves;
    this.#isMoving = true;
    this.#drop();
    const problem = await this.#showSession(location.session);
    if (move !== this.#moves) return;
    if (problem !== null) this.#options.announce(problem);
    const { selection } = this.#options;
    const change = changeTo(problem === null ? location : unbound(location));
    // An address without an order means the default one, not the one that is in force.
    const isSorted = location.view === "traffic" && selection.now.trafficSort !== null;
    selection.set(isSorted ? { ...change, trafficSort: location.trafficSort ?? DEFAULT_SORT } : change);
    this.#isMoving = false;
    this.#isTouched = false;
    this.#continued = null;
    this.#location = location;
    this.#changed();
  }

  /** Resolves once the session is shown; `null`: the one that is being recorded. Returns why it cannot be shown. */
  async #showSession(session: string | null): Promise<string | null> {
    await this.#shown;
    if (session === this.#stored) return null;
    const { commands } = this.#options;
    const reply = await commands.send(session === null ? { type: "show-current" } : { type: "open-session", session });
    return reply.ok ? null : reply.problem;
  }

  /** Writes the address after the turn, since one action may change the selection more than once. */
  #changed(): void {
    if (this.#isDue || this.#isMoving) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.#isMoving) this.#write();
    });
  }

  #write(): void {
    const before = this.#location;
    const location = locationOf(this.#options.selection.now, this.#stored);
    const text = addressOf(location);
    if (text === addressOf(before)) {
      // A garbled address is replaced by what it was taken for.
      if (this.#waiting === null && this.#options.history.fragment !== text) this.#replace(text);
      return;
    }
    this.#location = location;
    const field = onlyChange(before, location);
    const isContinued = field !== null && field === this.#continued && isSet(before, field) && isSet(location, field);
    if (!this.#isTouched || isContinued) {
      this.#isTouched = false;
      return this.#replace(text);
    }
    this.#isTouched = false;
    this.#continued = field;
    this.#settle();
    this.#options.history.write(text, true);
  }

  #replace(text: string): void {
    this.#waiting = text;
    if (this.#pause === undefined) this.#settle();
  }

  /** Writes the waiting change of the latest entry. */
  #settle(): void {
    const text = this.#waiting;
    this.#drop();
    if (text === null) return;
    this.#options.history.write(text, false);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#settle();
    }, PAUSE_MS);
  }

  #drop(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#waiting = null;
  }
}

/** The location without what means nothing in another session. */
function unbound({ finding: _, between: __, ...location }: ViewLocation): ViewLocation {
  return { ...location, exchange: null };
}

function changeTo({ session: _, finding, ...location }: ViewLocation): Partial<Selected> {
  const found = finding == null ? null : { key: finding, title: "", exchanges: new Set<never>() };
  return finding === undefined ? location : { ...location, finding: found };
}

/** The one field that differs, if it is one of `CONTINUED`; else `null`. */
function onlyChange(before: ViewLocation, location: ViewLocation): keyof ViewLocation | null {
  const names = Object.keys({ ...before, ...location }) as (keyof ViewLocation)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(location[name]));
  // These follow from an exchange that is opened or closed.
  const isExchange = changed.includes("exchange");
  const [field, ...others] = changed.filter((name) => name !== "session" && !(isExchange && name === "inspectorTab"));
  return field !== undefined && others.length === 0 && CONTINUED.includes(field) ? field : null;
}

function isSet(location: ViewLocation, field: keyof ViewLocation): boolean {
  return (location[field] ?? "") !== "";
}

/** This page's own history. */
export function browserHistory(): BrowserHistory {
  const base = `${location.pathname}${location.search}`;
  return {
    get fragment() {
      return location.hash;
    },
    write: (fragment, isNew) => {
      if (isNew) history.pushState(null, "", base + fragment);
      else history.replaceState(null, "", base + fragment);
    },
    onMove: (listener) => addEventListener("popstate", listener),
    onInput: (listener) => listen(["pointerdown", "keydown", "input", "click", "wheel"], listener),
    onTurn: (listener) => listen(["pointerdown", "focusin"], listener),
  };
}

function listen(kinds: readonly string[], listener: () => void): void {
  for (const kind of kinds) addEventListener(kind, listener, { capture: true, passive: true });
}
