/** What a helper process is asked. */
export interface LookupQuestion {
  readonly id: number;
  readonly name: string;
}

/** What it answers. `code`: as the error of `dns.lookup` has it; `null` if there are addresses. */
export interface LookupAnswer {
  readonly id: number;
  readonly code: string | null;
  readonly addresses: readonly { readonly address: string; readonly family: number }[];
}

/** What a helper process sends; "ready" comes first. */
export type HelperMessage = "ready" | LookupAnswer;

/** The program of a helper process: a text, so that each edition of Weir has it without a further file. */
export const LOOKUP_SCRIPT = `(${answerLookups})()`;

/** Runs in the helper process, so it uses globals only. */
function answerLookups(): void {
  const { lookup } = process.getBuiltinModule("node:dns");
  const send = (message: HelperMessage): boolean | undefined => process.send?.(message);
  // Weir has ended. A usual exit would wait for the threads, and so for silent name servers.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // Ctrl+C reaches all processes of a terminal; Weir decides when this one ends.
  process.on("SIGINT", () => {});
  process.on("message", ({ id, name }: LookupQuestion) => {
    lookup(name, { all: true, order: "verbatim" }, (error, addresses) =>
      send({ id, code: error === null ? null : (error.code ?? ""), addresses: addresses ?? [] }),
    );
  });
  // libuv starts its threads when they are first used, which would count as the first look-up's time.
  process.getBuiltinModule("node:fs").access(".", () => send("ready"));
}
