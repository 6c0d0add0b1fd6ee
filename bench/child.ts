import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Time limit in ms for a program's ready message. */
const START_LIMIT = 20_000;

/**
 * A bench program in a process of its own. It sends `{ ready }` once, then replies to each question with one message.
 */
export class Child<Ready> {
  readonly process: ChildProcess;
  readonly ready: Ready;

  private constructor(process: ChildProcess, ready: Ready) {
    this.process = process;
    this.ready = ready;
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Starts a program. `words`: Node's options, the program, and the program's arguments. */
  static async start<Ready>(
    words: readonly string[],
    { env = {}, quiet = false }: { readonly env?: NodeJS.ProcessEnv; readonly quiet?: boolean } = {},
  ): Promise<Child<Ready>> {
    const child = spawn(process.execPath, ["--no-warnings", ...words], {
      stdio: ["ignore", "ignore", quiet ? "ignore" : "inherit", "ipc"],
      env: { ...process.env, ...env },
      serialization: "advanced",
    });
    const limit = setTimeout(() => child.kill("SIGKILL"), START_LIMIT);
    const [message] = (await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => Promise.reject(new Error(`${words.join(" ")} ended with ${code}`))),
    ])) as [{ readonly ready: Ready }];
    clearTimeout(limit);
    return new Child(child, message.ready);
  }

  async ask<Answer>(question: object): Promise<Answer> {
    const limit = new AbortController();
    const { signal } = limit;
    try {
      this.process.send(question);
      const [answer] = (await Promise.race([
        once(this.process, "message", { signal }),
        once(this.process, "exit", { signal }).then(() => Promise.reject(new Error("the program ended too soon"))),
      ])) as [{ readonly answer: Answer } | { readonly problem: string }];
      if ("problem" in answer) throw new Error(answer.problem);
      return answer.answer;
    } finally {
      limit.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }
}

/** The child's side: `answer` answers the parent's questions. */
export function answerParent<Question>(ready: object, answer: (question: Question) => unknown): void {
  process.on("message", async (question: Question) => {
    try {
      process.send?.({ answer: (await answer(question)) ?? null });
    } catch (error) {
      process.send?.({ problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ ready });
}
