import { createServer } from "node:net";
import type { TestProxy } from "./test-proxy.ts";

/** A free port on loopback, outside the range from which systems choose ports. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

/** Opens a reverse port to the origin and returns its number. */
export async function reversePort(proxy: TestProxy, origin: string): Promise<number> {
  for (;;) {
    const port = await unusedPort();
    proxy.settings.reversePorts = [`${port}=${origin}`];
    await proxy.listener.applyLocalPorts();
    // Another test may have taken the port first.
    if (proxy.portProblems.length === 0) return port;
  }
}

/** Opens a transparent port for servers' port `target` and returns its number. */
export async function transparentPort(proxy: TestProxy, target: number): Promise<number> {
  for (;;) {
    const port = await unusedPort();
    proxy.settings.transparentPorts = [`${port}=${target}`];
    await proxy.listener.applyLocalPorts();
    if (proxy.portProblems.length === 0) return port;
  }
}
