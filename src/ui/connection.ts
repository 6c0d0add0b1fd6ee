import { hostChannel } from "./channel/host.ts";

/**
 * The main window's channel. It is dialled here, before anything else of the page is even read: the engine can then answer
 * while the page is set up.
 */
export const channel = await hostChannel();
channel.connect();
