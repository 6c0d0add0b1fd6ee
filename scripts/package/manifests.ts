import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TEMPLATES = fileURLToPath(new URL("../../packaging", import.meta.url));

/** Where a release is published. */
export interface Published {
  readonly version: string;
  /** URL of the folder with the packages, without a slash at its end. */
  readonly url: string;
  /** URL of the project's page. */
  readonly home: string;
}

/** Manifests by path below dist/, each with its template and the packages whose SHA-256 the manifest names. */
const MANIFESTS = [
  { path: "homebrew/weir.rb", template: "homebrew.rb", packages: ["mac-arm64.tar.xz", "mac-x64.tar.xz"] },
  { path: "scoop/weir.json", template: "scoop.json", packages: ["windows-x64.zip"] },
  { path: "winget/Weir.Weir.yaml", template: "winget.yaml", packages: ["windows-x64.zip"] },
  { path: "winget/Weir.Weir.installer.yaml", template: "winget-installer.yaml", packages: ["windows-x64.zip"] },
  { path: "winget/Weir.Weir.locale.en-US.yaml", template: "winget-locale.yaml", packages: ["windows-x64.zip"] },
] as const;

/** The manifests whose packages all are in `sums` (SHA-256 in hexadecimal, by file name), by path. */
export function manifests(published: Published, sums: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const filled = MANIFESTS.flatMap(({ path, template, packages }) => {
    const values = new Map<string, string>(Object.entries(published));
    for (const name of packages) {
      const sum = sums.get(`weir-${published.version}-${name}`);
      if (sum === undefined) return [];
      values.set(`sha256 ${name}`, sum);
    }
    const text = readFileSync(join(TEMPLATES, template), "utf8");
    return [[path, text.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => filledIn(values, name))] as const];
  });
  return new Map(filled);
}

function filledIn(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`a manifest names ${name}, which has no value`);
  return value;
}
