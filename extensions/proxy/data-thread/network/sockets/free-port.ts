import { type AddressInfo, createServer } from "node:net";

const HIGHEST_PORT = 65_535;

/** The first free port at this address, from `from` on (0: any free port); `null` if there is none. */
export async function freePort(address: string, from: number): Promise<number | null> {
  for (let port = from; port <= HIGHEST_PORT; port += 1) {
    const bound = await boundPort(address, port);
    if (bound !== null) return bound;
  }
  return null;
}

function boundPort(host: string, port: number): Promise<number | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen({ host, port }, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
