import type { StartHelper } from "../../extensions/proxy/data-thread/network/dns/lookup-helper.ts";
import type { HelperMessage, LookupQuestion } from "../../extensions/proxy/data-thread/network/dns/lookup-script.ts";

/** A helper process that does what the test says. */
interface FakeProcess {
  readonly questions: readonly LookupQuestion[];
  readonly isKilled: boolean;
  say(message: HelperMessage): void;
  /** Ends by itself. */
  end(): void;
}

/** Starts helper processes that do nothing by themselves. */
export function fakeHelpers(): { readonly start: StartHelper; readonly processes: readonly FakeProcess[] } {
  const processes: FakeProcess[] = [];
  const start: StartHelper = (onMessage, onEnd) => {
    const questions: LookupQuestion[] = [];
    let isKilled = false;
    processes.push({
      questions,
      get isKilled() {
        return isKilled;
      },
      say: onMessage,
      end: onEnd,
    });
    return {
      send: (question) => questions.push(question),
      kill: () => {
        isKilled = true;
      },
    };
  };
  return { start, processes };
}
