import { hostChannel } from "./channel/host.ts";

/**
 * The main window's channel. Connects before the rest of the page is loaded, so that the engine can answer meanwhile.
 */
export const channel = await hostChannel();
channel.connect();
