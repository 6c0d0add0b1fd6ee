import { hostChannel } from "./channel/host.ts";

/**
 * The main window's channel. It connects before the rest of the page is loaded, so that the engine can answer during
 * setup.
 */
export const channel = await hostChannel();
channel.connect();
