import * as assert from "uvu/assert";
import type { Status } from "../../../../src/engine/messages/status-messages.ts";
import { RECORDING_ICON, windowMarkOf } from "../../../../src/ui/views/shell/window-mark.ts";
import { describe } from "../../../support/describe.ts";

describe("window title and icon", (test) => {
  test("given a stopped proxy, a pause and slowed clients, names the most important", () => {
    const marks = [true, false].flatMap((running) =>
      [true, false].flatMap((recording) =>
        [null, { roundTrip: 60 }].map((conditions) =>
          windowMarkOf({ proxy: { running }, recording, conditions } as Status),
        ),
      ),
    );
    assert.equal(
      marks.map(({ title }) => title),
      [...["Weir", "Weir, slowed on purpose", "Weir, paused", "Weir, paused"], ...Array(4).fill("Weir, proxy stopped")],
    );
    const icons = marks.map(({ icon }) => icon);
    assert.is(new Set(icons).size, 3);
    assert.equal(
      icons.map((icon) => icon === RECORDING_ICON),
      [true, true, false, false, false, false, false, false],
    );
    assert.ok(icons.every((icon) => icon.startsWith("data:image/svg+xml,")));
  });
});
