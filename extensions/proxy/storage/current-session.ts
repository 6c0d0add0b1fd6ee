import { join } from "node:path";
import type { Bytes, Instant } from "../../../src/engine/model/units.ts";
import { brokenOff } from "./broken-off.ts";
import { removeExchanges } from "./ended-session.ts";
import { remove } from "./private-file.ts";
import {
  hasFacts,
  newFacts,
  newSessionId,
  removeFigures,
  type SessionFacts,
  type SessionWords,
  startOf,
  writeFacts,
  writeFigures,
} from "./session-facts.ts";
import { SessionWriter } from "./session-writer.ts";
import type { StoreStatus } from "./store-status.ts";

/** The session that is being recorded. Its facts lie on disk once there is something to tell. */
export class CurrentSession {
  readonly writer: SessionWriter;
  readonly #sessions: string;
  #facts: SessionFacts;
  #announced: boolean;
  /** What `clear` could not write: it is written once deleting has made room. */
  #untold: (() => string | null) | null = null;

  private constructor(writer: SessionWriter, sessions: string, facts: SessionFacts, announced: boolean) {
    this.writer = writer;
    this.#sessions = sessions;
    this.#facts = facts;
    this.#announced = announced;
  }

  /** A new one. Nothing is written before something was captured. */
  static begin(sessions: string, startedAt: Instant, bodyCap: Bytes): CurrentSession {
    const id = newSessionId(startedAt);
    const writer = new SessionWriter(join(sessions, id), bodyCap);
    return new CurrentSession(writer, sessions, newFacts(id, startedAt), false);
  }

  /** One whose recording broke off, to be recorded further; `null`: it cannot be. `known`: its facts as they lie on disk. */
  static resume(sessions: string, id: string, known: SessionFacts | null, bodyCap: Bytes): CurrentSession | null {
    const folder = join(sessions, id);
    const broken = brokenOff(folder);
    if (typeof broken === "string" || broken.exchanges === 0) return null;
    const facts = known ?? newFacts(id, startOf(id));
    try {
      return new CurrentSession(new SessionWriter(folder, bodyCap, broken), sessions, facts, known !== null);
    } catch {
      return null;
    }
  }

  get id(): string {
    return this.#facts.id;
  }

  get facts(): SessionFacts {
    return Object.freeze({ ...this.#facts, exchanges: this.writer.exchanges });
  }

  flush(): StoreStatus {
    const status = this.writer.flush();
    // Somebody may have deleted its folder, which is there again.
    const isTold = this.#announced && hasFacts(this.#sessions, this.id);
    if (isTold || status.problem !== null || this.writer.exchanges === 0) return status;
    const problem = writeFacts(this.#sessions, this.facts);
    this.#announced = problem === null;
    return { ...status, problem: problem === null ? null : `${problem}.` };
  }

  /** `null` is success, else a sentence. */
  describe(said: Partial<SessionWords>): string | null {
    this.#facts = Object.freeze({ ...this.#facts, ...said });
    return this.#announced ? writeFacts(this.#sessions, this.facts) : null;
  }

  /**
   * Says on disk that it has ended with those figures and that its exchanges are gone, while they still lie there, so that a
   * crash brings none of them back. It is written on until `drop`, or `restore`.
   */
  clear(endedAt: Instant, figures: unknown): void {
    this.flush();
    this.#announced = true;
    const facts = Object.freeze({ ...this.facts, endedAt, state: "completed", kept: false } as const);
    const tell = () => {
      const unsaved = writeFigures(this.#sessions, this.id, figures);
      return writeFacts(this.#sessions, facts) ?? unsaved;
    };
    this.#untold = tell() === null ? null : tell;
  }

  /** It is recorded further, as if it had not been cleared. */
  restore(): void {
    this.#announced = writeFacts(this.#sessions, this.facts) === null;
    removeFigures(this.#sessions, this.id);
  }

  /** Deletes its exchanges and bodies once it was cleared; its figures stay. */
  drop(): void {
    this.writer.close();
    removeExchanges(this.#sessions, this.id);
    this.#untold?.();
  }

  /** Writes what waits, and the figures that it may be ended with. `null` is success, else a sentence, and it is recorded further. */
  save(figures: unknown): string | null {
    const { problem } = this.flush();
    if (problem !== null || this.writer.exchanges === 0) return problem;
    const unsaved = writeFigures(this.#sessions, this.id, figures);
    return unsaved === null ? null : `${unsaved}.`;
  }

  /** Leaves no trace of it. */
  discard(): void {
    this.writer.close();
    remove(join(this.#sessions, this.id));
  }

  /** Ends it with the engine's figures of it, any JSON data. One without an exchange leaves no trace. */
  end(endedAt: Instant, figures: unknown): SessionFacts | null {
    this.flush();
    const facts = Object.freeze({ ...this.facts, endedAt, state: "completed" as const });
    if (facts.exchanges === 0) {
      this.discard();
      return null;
    }
    this.writer.close();
    writeFigures(this.#sessions, facts.id, figures);
    writeFacts(this.#sessions, facts);
    return facts;
  }
}
