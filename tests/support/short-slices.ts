import { READ_TURN } from "../../extensions/proxy/network/sockets/read-turn.ts";

/** Runs `body` while each slice of a reader's work is over after its first step. */
export async function inShortSlices(body: () => Promise<unknown>): Promise<void> {
  const { slice } = READ_TURN;
  READ_TURN.slice = () => {
    let asked = 0;
    return {
      get isOver() {
        asked += 1;
        return asked > 1;
      },
    };
  };
  try {
    await body();
  } finally {
    READ_TURN.slice = slice;
  }
}
