import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { ShownSession } from "./shown-session.ts";

/** The UI client that sent a command. */
export interface Sender {
  readonly shown: ShownSession;
  readonly send: (message: FromEngine) => void;
}

/**
 * For each type of command, a function that returns the reply's value, or throws the sentence that refuses the command.
 * `command-handlers.ts` puts the handlers together.
 */
export type Handlers<Type extends Command["type"] = Command["type"]> = {
  readonly [Each in Type]: (command: Extract<Command, { readonly type: Each }>, sender: Sender) => unknown;
};

/** Executes a command. Rejects with the sentence that refuses it. */
export async function execute<Type extends Command["type"]>(
  handlers: Handlers<Type>,
  command: Extract<Command, { readonly type: Type }>,
  sender: Sender,
): Promise<unknown> {
  // The cast is needed, because the compiler does not see that the command has the type of its handler.
  const handler = handlers[command.type as Type] as (command: Command, sender: Sender) => unknown;
  return handler(command, sender);
}
