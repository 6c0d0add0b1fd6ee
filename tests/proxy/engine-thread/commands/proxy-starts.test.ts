import * as assert from "uvu/assert";
import { ProxyStarts } from "../../../../extensions/proxy/engine-thread/commands/proxy-starts.ts";
import { describe } from "../../../support/describe.ts";

describe("proxy start commands", (test) => {
  test("given starts that end in turn, each is answered by its own end, and by none before", async () => {
    const starts = new ProxyStarts();
    const said: string[] = [];
    const answers = ["first", "second"].map((name) =>
      starts.add().then(
        () => said.push(`${name} listens`),
        (error: Error) => said.push(`${name}: ${error.message}`),
      ),
    );
    await null;
    assert.equal(said, []);
    starts.end("Port 8686 is taken by another program.");
    await answers[0];
    assert.equal(said, ["first: Port 8686 is taken by another program."]);
    starts.end(null);
    await answers[1];
    assert.equal(said.slice(1), ["second listens"]);
  });

  test("given an end that no command waits for, ignores it", () => {
    const starts = new ProxyStarts();
    starts.end("Port 8686 is taken by another program.");
    starts.end(null);
  });
});
