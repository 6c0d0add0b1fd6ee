import { liveCase } from "../contract.ts";

/*
 * A shop's payments arrive in clumps, each a quote, a payment and a capture with widely spread times that nothing
 * explains, tokens that really end after some seconds, one refusal and one failure that a quick repeat mends. Nothing
 * is a cause: each call is needed, no answer could have been kept, and the server shares no lock or pool.
 */

export const live = liveCase({
  story: "Payments come in clumps with spread latencies, tokens that end, one refusal and one quick retry.",
  draw: (draw) => {
    const [quotes = "", payments = "", ...rest] = draw.words(9);
    return {
      quotes,
      payments,
      regions: rest.slice(0, 4),
      channels: rest.slice(4),
      clumps: Array.from({ length: draw.int(13, 16) }, () => ({ size: draw.int(2, 5), pause: draw.real(350, 1_200) })),
      spread: draw.real(0.45, 0.55),
      usual: [draw.real(20, 34), draw.real(48, 70), draw.real(24, 40)],
      valid: draw.real(3_600, 4_800),
      refused: draw.int(20, 25),
      failing: draw.int(6, 12),
      settled: draw.int(14_000, 20_000),
    };
  },
  causes: () => [],
  service: { python: "b4-payments-service.py" },
  client: { python: "b4-payments-shop.py" },
});
