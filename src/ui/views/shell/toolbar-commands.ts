import type { Status } from "../../../engine/messages/status-messages.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import { leaveNotice } from "../../parts/view-focus.ts";
import type { Commands } from "../../state/commands.ts";
import { nextThemeOf } from "../../theme/colour.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { letThrough } from "../let-through.ts";
import { clearStep } from "../session-undo.ts";

export interface ToolbarDependencies extends Pick<ViewDependencies, "selection" | "commands" | "undo" | "announce"> {
  /** Offers to label the session that the command “New session” has ended. */
  readonly showEnded: (session: string) => void;
}

/**
 * The commands for the toolbar, for keys and for notices, each of which announces its outcome. `status` returns the
 * latest known status, `connection` why Weir cannot be reached ("" if it can).
 */
export function toolbarCommands(
  { selection, commands, undo, announce, showEnded }: ToolbarDependencies,
  status: () => Status | null,
  connection: () => string,
) {
  /** Sends a command and announces the outcome. Resolves to the reply's value; `null` if the command was refused. */
  async function run(command: Parameters<Commands["send"]>[0], done: string): Promise<unknown> {
    const reply = await commands.send(command);
    announce(reply.ok ? done : reply.problem);
    return reply.ok ? reply.value : null;
  }

  /** If Weir cannot be reached, announces this and returns true; the caller then sends no command. */
  function tellsCutOff(): boolean {
    const problem = connection();
    if (problem !== "") announce(problem);
    return problem !== "";
  }

  function setTheme(theme: Settings["theme"]): void {
    void run({ type: "set-setting", key: "theme", value: theme }, `Theme: ${theme}.`);
  }

  return {
    tellsCutOff,
    setTheme,

    toggleRecording(): void {
      const on = status()?.recording !== true;
      void run({ type: "set-recording", on }, on ? "Recording." : "Recording is paused. Traffic is still proxied.");
    },

    toggleProxy(): void {
      const running = status()?.proxy.running === true;
      if (running) void run({ type: "stop-proxy" }, "The proxy is stopped.");
      else void run({ type: "start-proxy" }, "The proxy is running.");
    },

    clear(): void {
      if (tellsCutOff()) return;
      const shown = selection.now.session;
      const cleared = undo.pushReplied(commands.send({ type: "clear" }), (session) => {
        const isShown = shown === null || shown === session;
        if (isShown) selection.set({ exchange: null, endpoint: null, finding: null });
        return typeof session === "string" ? clearStep(commands, session, isShown) : null;
      });
      void cleared.then((reply) => announce(reply.ok ? "Current session cleared." : reply.problem));
    },

    newSession(): void {
      if (tellsCutOff()) return;
      selection.set({ exchange: null, endpoint: null, finding: null });
      void run({ type: "new-session" }, "New session started.").then((session) => {
        if (typeof session === "string") showEnded(session);
      });
    },

    /** Ends the conditions: no connection is slowed from now on. */
    endConditions(): void {
      if (tellsCutOff()) return;
      leaveNotice();
      void run({ type: "set-conditions", conditions: null }, "Nothing is slowed any more.");
    },

    /** Passes the host's TLS through from its next connection on. */
    passThrough(host: string): void {
      leaveNotice();
      void letThrough({ commands, announce }, status(), host);
    },

    dismissAdvice(host: string): void {
      leaveNotice();
      void run({ type: "dismiss-advice", host }, "Notice dismissed for this session.");
    },

    nextTheme(): void {
      setTheme(nextThemeOf(status()?.settings.theme ?? "system"));
    },
  };
}
