import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { npm } from "./node-runtime.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const MOST_BYTES = 64 * 1024 * 1024;

/** Lists the npm packages in Weir as CycloneDX in JSON. npm makes the list from the lock file. */
export function billOfMaterials(): string {
  const [program, ...first] = npm();
  const words = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev", "--omit=optional"];
  const run = spawnSync(program, [...first, ...words], { cwd: ROOT, encoding: "utf8", maxBuffer: MOST_BYTES });
  if (run.status !== 0) throw new Error(`npm sbom failed: ${run.error?.message ?? run.stderr}`);
  const bill = JSON.parse(run.stdout) as { readonly metadata: { readonly component: { name: string } } };
  // npm names the component after its folder, which may have any name.
  bill.metadata.component.name = "weir-proxy";
  return `${JSON.stringify(bill, null, 2)}\n`;
}
