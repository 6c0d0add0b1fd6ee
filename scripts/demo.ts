import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LeafCertificates } from "../extensions/proxy/certificates/leaf-certificates.ts";
import { newRoot } from "../extensions/proxy/certificates/root.ts";
import { hostPort, localAddress } from "../src/engine/model/host-port.ts";
import { HOSTS, startService } from "./demo/service.ts";
import { scriptUrl } from "./script-url.ts";

/**
 * Number of clients: enough for each endpoint to get a row within seconds, and few enough that a user can follow them.
 */
const SHOPPERS = 2;

/** The proxy's address, and the path of the exported root certificate. */
interface ProxyFacts {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
}

/**
 * A local sample service, and real clients that send requests to it through the proxy (docs/specification.md,
 * `--demo`).
 */
export interface Demo {
  /** The engine's arguments that route the shop's hosts to the service. */
  readonly words: readonly string[];
  /** Starts the clients. */
  begin(proxy: ProxyFacts): Promise<void>;
  stop(): Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const root = newRoot("demo", new Date());
  const folder = mkdtempSync(join(tmpdir(), "weir-demo-"));
  const ca = join(folder, "demo-ca.pem");
  writeFileSync(ca, root.chain);
  const leaves = new LeafCertificates(root);
  const service = await startService((host) => leaves.contextFor(host));
  const shoppers: ChildProcess[] = [];
  return {
    words: [...HOSTS.flatMap((host) => ["--host-override", `${host}=127.0.0.1:${service.port}`]), "--upstream-ca", ca],
    begin: async (proxy) => {
      for (let count = 0; count < SHOPPERS; count += 1) shoppers.push(shopper(`shopper-${count + 1}`, proxy));
    },
    stop: async () => {
      for (const child of shoppers) child.kill();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function shopper(name: string, { host, port, ca }: ProxyFacts): ChildProcess {
  const program = fileURLToPath(scriptUrl("demo/shopper", import.meta.url));
  const proxy = `http://${hostPort(localAddress(host), port)}`;
  return spawn(process.execPath, ["--no-warnings", program, name], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...process.env,
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      NO_PROXY: "",
      NODE_EXTRA_CA_CERTS: ca,
    },
  });
}
