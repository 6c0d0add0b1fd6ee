import { READ_TURN } from "../../extensions/proxy/data-thread/network/sockets/read-turn.ts";

/** Runs `body` while each slice of a reader's work is over after its first step. */
export function inShortSlices(body: () => Promise<unknown>): Promise<void> {
  return inSlicesOf(1, body);
}

/** Runs `body` while each slice of a reader's work lasts until the work is done, however slow the computer is. */
export function inEndlessSlices(body: () => Promise<unknown>): Promise<void> {
  return inSlicesOf(Number.POSITIVE_INFINITY, body);
}

async function inSlicesOf(steps: number, body: () => Promise<unknown>): Promise<void> {
  const { slice } = READ_TURN;
  READ_TURN.slice = () => {
    let asked = 0;
    return {
      get isOver() {
        asked += 1;
        return asked > steps;
      },
    };
  };
  try {
    await body();
  } finally {
    READ_TURN.slice = slice;
  }
}
