import type { Instant } from "../../../../../src/engine/model/units.ts";

/** An object that is open as long as its socket. */
export interface Closable {
  /** Closes the object or ends its exchanges if a time limit has passed. Called about once a second. */
  expire(now: Instant): void;
  /** Closes as soon as nothing is in flight. */
  drain(): void;
  /** Closes at once. Exchanges in flight end as `proxy-stopped`. */
  stop(): void;
}
