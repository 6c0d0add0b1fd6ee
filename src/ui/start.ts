import type { Channel, ChannelState } from "./channel/channel.ts";
import { view } from "./views/mounted.ts";

/** Milliseconds that a start may take before the window shows a message. */
const UNSAID = 1_000;

/** The message shown while a window has no engine. */
export interface Words {
  readonly title: string;
  readonly text: string;
  readonly advice: string;
}

const NOTHING: Words = Object.freeze({ title: "", text: "", advice: "" });

const STARTING: Words = Object.freeze({
  title: "Weir is starting",
  text: "Weir creates a certificate at its first start, and checks earlier recordings.",
  advice: "",
});

/**
 * Covers the window with a message if the channel is not open after `UNSAID` ms, or is closed for good. Meanwhile the
 * controls are inert. `native`: whether the window is Weir's own, not a browser's.
 */
export function startView({ channel, native }: { readonly channel: Channel; readonly native: boolean }) {
  return view({
    ...NOTHING,

    init(): void {
      let isOver = false;
      const waiting = setTimeout(() => this.say(STARTING), UNSAID);
      channel.onState((state) => {
        if (isOver || (state.kind !== "open" && state.kind !== "closed")) return;
        isOver = true;
        clearTimeout(waiting);
        this.say(state.kind === "open" ? NOTHING : failure(state, native));
      });
    },

    say({ title, text, advice }: Words): void {
      Object.assign(this, { title, text, advice });
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
