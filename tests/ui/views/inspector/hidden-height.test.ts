import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { hiddenHeightOf } from "../../../../src/ui/views/inspector/hidden-height.ts";
import { describe } from "../../../support/describe.ts";

const scroller = fc.record({ clientHeight: fc.nat(900), hidden: fc.nat(900) }).map(({ clientHeight, hidden }) => ({
  clientHeight,
  scrollHeight: clientHeight + hidden,
}));
const image = fc.record({ offsetHeight: fc.nat(900), naturalHeight: fc.nat(5_000) });

/** A panel with these scrolling parts, one in a shadow root, and an image. */
const panelOf = (parts: readonly object[], text: object | null, picture: object) =>
  ({
    querySelectorAll: (selector: string) => {
      if (selector === ".body-text") return [{ shadowRoot: { querySelector: () => text } }];
      return selector === ".body-image" ? [picture] : parts;
    },
  }) as unknown as HTMLElement;

describe("missing height of the inspector", (test) => {
  test("given several scrolling parts and an image, returns the largest height that one of them lacks", () => {
    fc.assert(
      fc.property(fc.array(scroller), fc.option(scroller), image, (parts, text, picture) => {
        const hidden = [...parts, ...(text === null ? [] : [text])].map(
          (each) => each.scrollHeight - each.clientHeight,
        );
        const more = picture.offsetHeight > 0 ? picture.naturalHeight - picture.offsetHeight : 0;
        assert.is(hiddenHeightOf(panelOf(parts, text, picture)), Math.max(0, more, ...hidden));
      }),
    );
  });
});
