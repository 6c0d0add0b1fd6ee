import type { Instant } from "../../../../src/engine/model/units.ts";

/** An object that lives as long as a socket. */
export interface Closable {
  /** Called about once a second: closes what exceeded its time limit. */
  expire(now: Instant): void;
  /** Closes as soon as nothing is in flight. */
  drain(): void;
  /** Closes at once; exchanges in flight end as `proxy-stopped`. */
  stop(): void;
}
