import type { Milliseconds } from "../../src/engine/model/units.ts";
import type { HeldClock } from "./held-clock.ts";
import { RawPeer } from "./raw-peer.ts";

/**
 * So much time passes, in which an idle client may not stay, and the proxy has looked at all its connections since: one that
 * came later than they did, and so is looked at later, was let go.
 */
export async function swept(port: number, clock: HeldClock, time: Milliseconds): Promise<void> {
  const idle = await RawPeer.to(port);
  idle.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
  await idle.until("</html>");
  clock.pass(time);
  await idle.over;
  idle.close();
}
