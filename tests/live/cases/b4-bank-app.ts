import { liveCase } from "../contract.ts";

/*
 * A bank's app waits for its feature flags before each screen although they hold for ten minutes, and the list of
 * entries counts its way through all months before an OFFSET. The truth of the first is the time of the flags before a
 * call (without the cause they are refreshed beside it), of the second the time of those counts.
 */

export const live = liveCase({
  story: "The app asks for its flags before every call; deep pages of the entries count all months before them.",
  draw: (draw) => {
    const [entries = "", limits = "", cards = "", ...rest] = draw.words(10);
    const [months, held] = [draw.int(34, 44), draw.int(300, 420)];
    return {
      entries,
      limits,
      cards,
      phones: rest.slice(0, 6),
      months,
      held,
      disk: draw.real(9, 13),
      flags: draw.real(42, 58),
      usual: draw.real(90, 120),
      screens: draw.int(13, 15),
      entriesShare: draw.real(0.66, 0.76),
      deepShare: draw.real(0.27, 0.35),
      deepest: Math.floor(months * held * draw.real(0.85, 0.95)),
    };
  },
  causes: ({ entries }) => [
    {
      name: "flags",
      accepts: [{ kind: "repeated-prerequisite" }, { kind: "unchanged-refetches" }, { kind: "duplicate-requests" }],
      at: ["GET /v2/flags"],
    },
    {
      name: "offset",
      accepts: [{ kind: "slow-when", attribute: "query:offset" }],
      at: [`GET /accounts/*/${entries}`],
    },
  ],
  service: { python: "b4-bank-service.py" },
  client: { python: "b4-bank-phones.py" },
});
