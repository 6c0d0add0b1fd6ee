import type { Status } from "../../../engine/messages/status-messages.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import { leaveNotice } from "../../parts/view-focus.ts";
import type { Commands } from "../../state/commands.ts";
import { nextThemeOf } from "../../theme/colour.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { letThrough } from "../let-through.ts";
import { clearStep } from "../session-undo.ts";

/** What the commands need of the view that has them as members. */
interface Announcing {
  /** Why Weir cannot be reached; "" if it can. */
  connection: string;
  announce(text: string): void;
}

/** The commands for the toolbar, for keys and for notices. */
interface ToolbarCommands {
  /** If Weir cannot be reached, announces this and returns true; the caller then sends no command. */
  tellsCutOff(): boolean;
  toggleRecording(): void;
  toggleProxy(): void;
  clear(): void;
  newSession(): void;
  /** Ends the conditions: no connection is slowed from now on. */
  endConditions(): void;
  nextTheme(): void;
  setTheme(theme: Settings["theme"]): void;
  /** Passes the host's TLS through from its next connection on. */
  passThrough(host: string): void;
  dismissAdvice(host: string): void;
}

export interface ToolbarDependencies extends Pick<ViewDependencies, "selection" | "commands" | "undo"> {
  /** Offers to label the session that the command “New session” has ended. */
  readonly showEnded: (session: string) => void;
}

/** The commands, each of which announces its outcome. `status` returns the latest known status. */
export function toolbarCommands(
  { selection, commands, undo, showEnded }: ToolbarDependencies,
  status: () => Status | null,
): ToolbarCommands & ThisType<ToolbarCommands & Announcing> {
  /** Sends a command and announces the outcome. Resolves to the reply's value; `null` if the command was refused. */
  async function run(asking: Announcing, command: Parameters<Commands["send"]>[0], done: string): Promise<unknown> {
    const reply = await commands.send(command);
    asking.announce(reply.ok ? done : reply.problem);
    return reply.ok ? reply.value : null;
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
      else void run(this, { type: "start-proxy" }, "The proxy is running.");
    },

    clear() {
      if (this.tellsCutOff()) return;
      const shown = selection.now.session;
      const cleared = undo.pushReplied(commands.send({ type: "clear" }), (session) => {
        const isShown = shown === null || shown === session;
        if (isShown) selection.set({ exchange: null, endpoint: null, finding: null });
        return typeof session === "string" ? clearStep(commands, session, isShown) : null;
      });
      void cleared.then((reply) => this.announce(reply.ok ? "Current session cleared." : reply.problem));
    },

    newSession() {
      if (this.tellsCutOff()) return;
      selection.set({ exchange: null, endpoint: null, finding: null });
      void run(this, { type: "new-session" }, "New session started.").then((session) => {
        if (typeof session === "string") showEnded(session);
      });
    },

    endConditions() {
      if (this.tellsCutOff()) return;
      leaveNotice();
      void run(this, { type: "set-conditions", conditions: null }, "Nothing is slowed any more.");
    },

    passThrough(host) {
      leaveNotice();
      void letThrough({ commands, announce: (text) => this.announce(text) }, status(), host);
    },

    dismissAdvice(host) {
      leaveNotice();
      void run(this, { type: "dismiss-advice", host }, "Notice dismissed for this session.");
    },

    nextTheme() {
      this.setTheme(nextThemeOf(status()?.settings.theme ?? "system"));
    },

    setTheme(theme) {
      void run(this, { type: "set-setting", key: "theme", value: theme }, `Theme: ${theme}.`);
    },
  };
}
