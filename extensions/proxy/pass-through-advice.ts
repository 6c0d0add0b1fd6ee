import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import { matchesHost } from "./network/host-pattern.ts";

/** decisions.md, Pass-through: suggested after so many certificate rejections for a host. */
const REJECTIONS = 3;
/** Our choice: hosts that are counted. */
const MOST_HOSTS = 1_000;

/** Counts how often clients turned our certificate down, host by host, and says what to do about it. */
export class PassThroughAdvice {
  readonly #counts = new Map<string, number>();
  /** Hosts whose user has been advised, or has followed the advice before. */
  readonly #advised = new Set<string>();

  /** `originOf` finds a captured exchange's origin. The hosts that have just had one rejection too many. */
  take(events: readonly CaptureEvent[], originOf: (id: ExchangeId) => string | null): readonly string[] {
    const hosts: string[] = [];
    for (const event of events) {
      if (event.type !== "exchange-ended" || event.outcome.kind !== "failed") continue;
      if (event.outcome.errorType !== "client-rejected-certificate") continue;
      const host = hostOf(originOf(event.id));
      if (host === null || this.#advised.has(host)) continue;
      const count = (this.#counts.get(host) ?? 0) + 1;
      if (this.#counts.size < MOST_HOSTS || this.#counts.has(host)) this.#counts.set(host, count);
      if (count < REJECTIONS) continue;
      this.#advised.add(host);
      hosts.push(host);
    }
    return hosts;
  }

  /** Advised hosts that are passed through by now. */
  followed(patterns: readonly string[]): readonly string[] {
    return [...this.#advised].filter((host) => matchesHost(patterns, host));
  }
}

/** The notice's text. */
export function adviceFor(host: string): string {
  return (
    `${REJECTIONS} connections to ${host} were broken off by a client that does not trust Weir’s certificate. ` +
    `Let the client trust it (Setup Hub), or, if it accepts no certificate but its own, add ${host} to ` +
    "Settings, Capture: “Pass through”."
  );
}

function hostOf(origin: string | null): string | null {
  return (
    /^https?:\/\/(?:\[([^\]]+)\]|([^:/]+))/
      .exec(origin ?? "")
      ?.slice(1)
      .find((part) => part !== undefined) ?? null
  );
}
