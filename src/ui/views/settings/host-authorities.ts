import type { HostAuthority } from "../../../engine/model/settings.ts";
import { countPhrase } from "../../format/count.ts";

/** A host's CA file in the list. */
export interface AuthorityEntry {
  /** Its index in the setting. */
  readonly key: number;
  readonly host: string;
  readonly file: string;
  /** How many certificates it has: "2 certificates". */
  readonly note: string;
  readonly authority: HostAuthority;
}

export function authorityEntries(authorities: readonly HostAuthority[]): readonly AuthorityEntry[] {
  return Object.freeze(
    authorities.map((authority, key) => {
      const { host, file, certificates } = authority;
      const count = certificates.split("BEGIN CERTIFICATE").length - 1;
      return Object.freeze({ key, host, file, note: countPhrase(count, "certificate", "certificates"), authority });
    }),
  );
}
