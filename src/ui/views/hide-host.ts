import type { Status } from "../../engine/messages/status-messages.ts";
import type { ViewDependencies } from "./dependencies.ts";

/**
 * Adds a host to the hidden hosts, or takes it from them, and announces the outcome. `status`: the latest known status;
 * if it is `null`, nothing happens.
 */
export async function setHidden(
  { commands, announce, undo }: Pick<ViewDependencies, "commands" | "announce" | "undo">,
  status: Status | null,
  host: string,
  hides: boolean,
): Promise<void> {
  if (status === null) return;
  const { hiddenHosts, showHiddenHosts } = status.settings;
  const others = hiddenHosts.filter((hidden) => hidden.toLowerCase() !== host.toLowerCase());
  const value = hides ? [...others, host] : others;
  const sent = commands.send({ type: "set-setting", key: "hiddenHosts", value });
  const reply = await undo.pushReplied(sent, () => ({
    offer: "",
    undo: async () => {
      const undone = await commands.send({ type: "set-setting", key: "hiddenHosts", value: hiddenHosts });
      if (!undone.ok) return undone.problem;
      return hides ? `${host} is listed again.` : `${host} is hidden again.`;
    },
  }));
  const stays = showHiddenHosts ? " Hidden hosts are listed until you choose Hide in the status bar." : "";
  const done = hides ? `${host} is hidden.${stays}` : `${host} is listed again.`;
  announce(reply.ok ? done : reply.problem);
}
