import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { hmac } from "../../../extensions/proxy/engine-thread/channel/admission.ts";
import { keyText, proofText, ticketText } from "../../../src/engine/messages/window-key.ts";
import { drawnNonce, keyFrom, proofFor, ticketFrom } from "../../../src/ui/channel/window-key.ts";
import { anyUrl } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const secret = fc.stringMatching(/^[\w-]{43}$/);

describe("window key in the page", (test) => {
  test("given the same ticket and salt, is what the engine derives", () =>
    fc.assert(
      fc.asyncProperty(secret, secret, anyUrl, async (ticket, salt, origin) => {
        const key = await keyFrom(ticket, salt, origin);
        assert.equal(key, { id: salt, secret: hmac(ticket, keyText(salt, origin)) });
        assert.is(await ticketFrom(key, salt), hmac(key.secret, ticketText(salt)));
        assert.is.not(key.secret, (await keyFrom(ticket, salt, `${origin}1`)).secret);
      }),
    ));

  test("given the engine's proof, answers with another one, which holds for this encounter alone", () =>
    fc.assert(
      fc.asyncProperty(secret, secret, secret, async (key, pageNonce, engineNonce) => {
        const encounter = { origin: "http://127.0.0.1:8687", key: "id", pageNonce, engineNonce };
        const engine = hmac(key, proofText("engine", encounter));
        const own = await proofFor({ id: "id", secret: key }, encounter, engine);
        assert.is(own, hmac(key, proofText("page", encounter)));
        assert.is.not(own, engine);
        for (const change of [{ origin: "http://a.test" }, { key: "x" }, { pageNonce: "x" }, { engineNonce: "x" }])
          assert.is(await proofFor({ id: "id", secret: key }, { ...encounter, ...change }, engine), null);
      }),
    ));

  test("given 50 nonces, draws 50 different ones in the form that the engine accepts", () => {
    const drawn = Array.from({ length: 50 }, drawnNonce);
    assert.is(new Set(drawn).size, 50);
    for (const nonce of drawn) assert.match(nonce, /^[\w-]{43}$/);
  });
});
