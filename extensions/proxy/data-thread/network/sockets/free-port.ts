import { type AddressInfo, createServer, type Server } from "node:net";

const HIGHEST_PORT = 65_535;

/** The first free port at this address, from `from` on (0: any free port); `null` if there is none. */
export async function freePort(address: string, from: number): Promise<number | null> {
  for (let port = from; port <= HIGHEST_PORT; port += 1) {
    const bound = await boundPort(address, port);
    if (bound !== null) return bound;
  }
  return null;
}

async function boundPort(address: string, port: number): Promise<number | null> {
  const server = createServer();
  const bound = await listening(server, address, port).catch(() => null);
  if (bound !== null) await new Promise((resolve) => server.close(resolve));
  return bound?.port ?? null;
}

/**
 * Listens at this address; port 0 is any free port. Rejects with the system's error. Later errors are ignored:
 * accepting fails while no descriptors are left, but open connections are not affected.
 */
export function listening(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen({ host, port }, () => resolve(server.address() as AddressInfo));
  });
}
