import type { Target, Values } from "../../../engine/hub/target.ts";
import type { HubState, SeenSample, TargetState } from "../../../engine/messages/hub-messages.ts";
import { reversePortFor } from "../../../engine/model/reverse-port.ts";
import { transparentPortFor } from "../../../engine/model/transparent-port.ts";
import type { Shell } from "../../../engine/quoting/shell.ts";
import type { SubscriptionStore, ValueSubscription } from "../../state/subscription-store.ts";

export const HUB_TABS = ["overview", "setup", "snippets", "validate", "troubleshooting"] as const;

export type HubTab = (typeof HUB_TABS)[number];

/** What is selected in the hub, and the state that the engine reports. */
export interface HubNow {
  readonly target: Target;
  /** The tab that the user chose; `null`: the tab with what to paste or do (`tabOf`). */
  readonly tab: HubTab | null;
  /** The shell that the user chose; `null`: the default shell of the system. */
  readonly shell: Shell | null;
  /** Chosen variants by `<slug>/<heading>`, and chosen versions by `<slug>/<heading>/<variant>`. */
  readonly choices: Readonly<Record<string, string>>;
  /** The sample URL that the user typed, for all targets; `null`: each target's own. */
  readonly sample: string | null;
  /** The texts that were copied in this window, with the key `<slug>/<form>`. */
  readonly copied: Readonly<Record<string, string>>;
  /** Whether Run Test was refused for this target. The failed checks are then shown until a test runs. */
  readonly refused: boolean;
  /** `null` until the engine's first answer. */
  readonly hub: HubState | null;
  readonly state: TargetState | null;
  /** Why a query about the hub or this target failed, as text; `null` if none failed. */
  readonly problem: string | null;
}

/** The state of the hub's window. The window's parts share nothing else. */
export class HubModel {
  readonly #windows: SubscriptionStore;
  readonly #hub: ValueSubscription<"hub">;
  #state: ValueSubscription<"target">;
  #now: HubNow;
  readonly #listeners = new Set<(now: HubNow) => void>();

  constructor(windows: SubscriptionStore, target: Target) {
    this.#windows = windows;
    this.#now = Object.freeze({
      target,
      tab: null,
      shell: null,
      choices: {},
      sample: null,
      copied: {},
      refused: false,
      hub: null,
      state: null,
      problem: null,
    });
    this.#hub = windows.value({ view: "hub" }, () =>
      this.set({ hub: this.#hub.value ?? null, problem: this.#problem }),
    );
    this.#state = this.#ask(target.slug);
  }

  get now(): HubNow {
    return this.#now;
  }

  set(change: Partial<HubNow>): void {
    this.#now = Object.freeze({ ...this.#now, ...change });
    for (const listener of [...this.#listeners]) listener(this.#now);
  }

  /** Selects another target. A chosen tab stays, so that two targets can be compared. */
  show(target: Target): void {
    if (target === this.#now.target) return;
    this.#state.close();
    this.#state = this.#ask(target.slug);
    this.set({ target, state: null, refused: false });
  }

  choose(key: string, value: string): void {
    this.set({ choices: { ...this.#now.choices, [key]: value } });
  }

  /** Calls `listener` now and after each change, until the returned function is called. */
  watch(listener: (now: HubNow) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#now);
    return () => this.#listeners.delete(listener);
  }

  #ask(slug: string): ValueSubscription<"target"> {
    const subscription = this.#windows.value({ view: "target", slug }, () =>
      this.set({ state: subscription.value ?? null, problem: this.#problem }),
    );
    return subscription;
  }

  get #problem(): string | null {
    return this.#hub.problem ?? this.#state.problem;
  }
}

/** The shown tab: the one that the user chose, else Snippets, or Setup for a target without snippets. */
export function tabOf({ tab, target }: HubNow): HubTab {
  return tab ?? (target.variants.length > 0 ? "snippets" : "setup");
}

/** The values to insert into the hub's texts. `url`: the URL that the texts request. */
export function valuesWith(hub: HubState, url: string): Values {
  const reverse = reversePortFor(hub.reversePorts, url);
  return { ...hub.values, url, reverse, transparent: transparentPortFor(hub.transparentPorts) };
}

/** The captured sample request, and whether its User-Agent is that of a program of the target. */
export interface TargetSample extends SeenSample {
  readonly sender: "target" | "other" | "unknown";
}

/** The captured sample request, if it is the URL that the snippets of the target request; else `null`. */
export function sampleSeen({ target, sample, hub }: HubNow): TargetSample | null {
  const isSent = sample === null && target.sample === undefined && target.variants.length > 0;
  const seen = hub?.sample ?? null;
  return isSent && seen !== null ? Object.freeze({ ...seen, sender: senderOf(target, seen) }) : null;
}

function senderOf({ userAgents }: Target, { program }: SeenSample): TargetSample["sender"] {
  if (userAgents === undefined || program === "") return "unknown";
  return userAgents.includes(program) ? "target" : "other";
}

/** The shell for the hub's texts: the shell chosen by the user, else the system's. */
export function shellOf({ shell, hub }: HubNow): Shell {
  return shell ?? (hub?.conditions.platform === "win32" ? "powershell" : "sh");
}
