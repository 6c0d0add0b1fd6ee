import type { Channel, ChannelState } from "./channel/channel.ts";
import { view } from "./views/view.ts";

/** Milliseconds that a start may take before the window shows a message. */
const UNSAID = 1_000;

/** The message shown while a window has no engine. `action`: the label of its button; "" without one. */
export interface Words {
  readonly title: string;
  readonly text: string;
  readonly advice: string;
  readonly action?: string;
}

const NOTHING: Words = Object.freeze({ title: "", text: "", advice: "", action: "" });

const STARTING: Words = Object.freeze({
  title: "Weir is starting",
  text: "Weir creates a certificate at its first start, and checks earlier recordings.",
  advice: "",
});

const LINK: Words = Object.freeze({
  title: "This link opens in Weir's window",
  text: "No window of Weir is connected in this browser.",
  advice:
    "In a terminal, npm start or weir start prints the address of a running Weir's window. Open it in this browser, and the link is shown there.",
});

/** A web page may have opened the link, so the user decides. */
const FOREIGN_LINK: Words = Object.freeze({
  ...LINK,
  text: "It changes what Weir's window shows, for example its filter.",
  advice: "",
  action: "Show in Weir's window",
});

const SHOWN: Words = Object.freeze({
  title: "The link is shown in Weir's window",
  text: "It is in another tab or window of this browser. You can close this page.",
  advice: "",
});

/** A link to a place, in a page that has no connection of its own. */
export interface UnopenedLink {
  /** Whether the user typed or pasted the link, or followed it from Weir. */
  readonly isOwn: boolean;
  /** Hands the link to a connected window, now or once there is one; then calls `done`. */
  handOver(done: () => void): void;
}

/**
 * Covers the window with a message if the channel is not open after `UNSAID` ms, or is closed for good. Meanwhile the
 * controls are inert. `native`: whether the window is Weir's own, not a browser's. `link`: the link that the page was
 * opened by; `null` if there is none.
 */
export function startView({
  channel,
  native,
  link,
}: {
  readonly channel: Channel;
  readonly native: boolean;
  readonly link: UnopenedLink | null;
}) {
  return view({
    ...NOTHING,

    init(): void {
      let wasOpen = false;
      const waiting = setTimeout(() => this.say(STARTING), UNSAID);
      channel.onState((state) => {
        if (wasOpen || (state.kind !== "open" && state.kind !== "closed")) return;
        wasOpen = state.kind === "open";
        clearTimeout(waiting);
        if (state.kind === "open") this.say(NOTHING);
        else if (link === null) this.say(failure(state, native));
        else if (link.isOwn) this.handOver();
        else this.say(FOREIGN_LINK);
      });
    },

    /** Shows the link in a connected window; until there is one, says how to get one. */
    handOver(): void {
      this.say(LINK);
      link?.handOver(() => this.say(SHOWN));
    },

    say({ title, text, advice, action = "" }: Words): void {
      Object.assign(this, { title, text, advice, action });
      const controls = this.$root.nextElementSibling;
      if (controls instanceof HTMLElement) controls.inert = title !== "";
    },
  });
}

function failure({ reason }: Extract<ChannelState, { kind: "closed" }>, native: boolean): Words {
  return native
    ? {
        title: "Weir did not start",
        text: reason,
        advice: "Fix the problem, close this window and start Weir again.",
      }
    : { title: "This page is not connected to Weir", text: reason, advice: "" };
}
