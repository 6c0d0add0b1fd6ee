import type { Milliseconds } from "../../src/engine/model/units.ts";
import type { HeldClock } from "./held-clock.ts";
import { RawPeer } from "./raw-peer.ts";

/**
 * Advances the clock by `time`, and waits until the proxy has checked its connections: until it has closed the idle
 * client that connected last.
 */
export async function swept(port: number, clock: HeldClock, time: Milliseconds): Promise<void> {
  const idle = await RawPeer.to(port);
  idle.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
  await idle.until("</html>");
  clock.pass(time);
  await idle.over;
  idle.close();
}
