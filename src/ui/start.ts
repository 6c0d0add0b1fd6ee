import type { Channel, ChannelState } from "./channel/channel.ts";
import type { View } from "./views/mounted.ts";

/** Our choice, in ms: a start that takes no longer is not worth a word. */
const UNSAID = 1_000;

/** What stands in the place of a window that has no engine yet, or none at all. */
interface Words {
  readonly title: string;
  readonly text: string;
  readonly advice: string;
}

const NOTHING: Words = Object.freeze({ title: "", text: "", advice: "" });

const STARTING: Words = Object.freeze({
  title: "Weir is starting",
  text: "A first start makes a certificate, and what was captured before is looked through.",
  advice: "",
});

/**
 * Before the engine has answered for the first time, the window's controls could do nothing: after a while this takes their
 * place, and says why where no answer will come. `native`: the window belongs to Weir, not to a browser.
 */
export function startView({
  channel,
  native,
}: {
  readonly channel: Channel;
  readonly native: boolean;
}): View<Words & { init(): void; say(words: Words): void }> {
  return {
    ...NOTHING,

    init() {
      let isOver = false;
      const waiting = setTimeout(() => this.say(STARTING), UNSAID);
      channel.onState((state) => {
        if (isOver || (state.kind !== "open" && state.kind !== "closed")) return;
        isOver = true;
        clearTimeout(waiting);
        this.say(state.kind === "open" ? NOTHING : failure(state, native));
      });
    },

    say({ title, text, advice }) {
      Object.assign(this, { title, text, advice });
      const controls = this.$root.nextElementSibling;
      if (controls instanceof HTMLElement) controls.inert = title !== "";
    },
  };
}

function failure({ reason }: Extract<ChannelState, { kind: "closed" }>, native: boolean): Words {
  return native
    ? {
        title: "Weir did not start",
        text: reason,
        advice: "Put this right, then close this window and start Weir again.",
      }
    : { title: "This page is not connected to Weir", text: reason, advice: "" };
}
