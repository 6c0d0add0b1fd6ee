import type { Status } from "../../../engine/messages/status-messages.ts";
import { focusView } from "../../parts/view-focus.ts";
import type { Commands } from "../../state/commands.ts";
import type { ViewDependencies } from "../dependencies.ts";

const NEXT_THEME = { system: "light", light: "dark", dark: "system" } as const;

/** What they are members of. */
interface Announcing {
  /** Why Weir cannot be reached; "" while it can. */
  connection: string;
  announce(text: string): void;
}

/** What the toolbar, its keys and its notices ask of the engine. */
interface ToolbarCommands {
  /** Whether Weir cannot be reached. Then why is said: nothing is asked of it, and nothing given up for that. */
  tellsCutOff(): boolean;
  toggleRecording(): void;
  toggleProxy(): void;
  clear(): void;
  undoClear(): void;
  newSession(): void;
  nextTheme(): void;
}

/** `status`: the latest that is known. What came of a command is announced. */
export function toolbarCommands(
  { selection, commands }: Pick<ViewDependencies, "selection" | "commands">,
  status: () => Status | null,
): ToolbarCommands & ThisType<ToolbarCommands & Announcing> {
  async function run(asking: Announcing, command: Parameters<Commands["send"]>[0], done: string): Promise<void> {
    const reply = await commands.send(command);
    asking.announce(reply.ok ? done : reply.problem);
  }

  return {
    tellsCutOff() {
      if (this.connection === "") return false;
      this.announce(this.connection);
      return true;
    },

    toggleRecording() {
      const on = status()?.recording !== true;
      void run(
        this,
        { type: "set-recording", on },
        on ? "Recording." : "Recording is paused. Traffic is still proxied.",
      );
    },

    toggleProxy() {
      const running = status()?.proxy.running === true;
      if (running) void run(this, { type: "stop-proxy" }, "The proxy is stopped.");
      // That it runs is told by its state, once those are gone that stopping waits for, and unless its port is taken.
      else void run(this, { type: "start-proxy" }, "The proxy is starting.");
    },

    clear() {
      if (this.tellsCutOff()) return;
      selection.set({ exchange: null, endpoint: null });
      void run(this, { type: "clear" }, "The session being recorded is cleared.");
    },

    undoClear() {
      focusView();
      void run(this, { type: "undo-clear" }, "The session is back.");
    },

    newSession() {
      if (this.tellsCutOff()) return;
      selection.set({ exchange: null, endpoint: null });
      void run(this, { type: "new-session" }, "A new session has begun.");
    },

    nextTheme() {
      const theme = NEXT_THEME[status()?.settings.theme ?? "system"];
      void run(this, { type: "set-setting", key: "theme", value: theme }, `Theme: ${theme}.`);
    },
  };
}
