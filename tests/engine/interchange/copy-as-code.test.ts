import * as assert from "uvu/assert";
import type { CopiedRequest } from "../../../src/engine/interchange/copied-request.ts";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { describe } from "../../support/describe.ts";
import { sendsAll, sentRequests } from "../../support/sent-requests.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

describe("copy as code", (test) => {
  test("given any request, fetch sends its method, URL, headers and body", async () => {
    await sendsAll("fetch", async (text) => void (await new AsyncFunction(text)()));
  });

  test(
    "given any request, Python sends its method, URL, headers and body",
    async () => {
      const texts: string[] = [];
      await sendsAll(
        "python",
        async (text) => void texts.push(text),
        async () => {
          await withFolder(async (folder) => {
            const { code, output } = await runTool(["python3", "-"], folder, {
              input: texts.join("\n"),
              limit: 100_000,
            });
            assert.is(code, 0, output);
          });
        },
      );
    },
    { skip: needs("python3") },
  );

  test("given a target that a library would rewrite, refuses to copy the request", () => {
    const request = sentRequests[0] ?? assert.unreachable();
    const plain = {
      ...(request as CopiedRequest),
      method: "GET",
      body: new Uint8Array(),
      bodySize: 0,
      head: "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    };
    for (const target of ["*", "/a/../b", "/%2e/", "/'", "/#", "/a?", "?x", "/\u00e9"])
      for (const form of ["fetch", "python"] as const)
        assert.not(copyAs({ ...plain, target }, form).ok, `${form} ${target}`);
    for (const target of ["//a", "/%7e", "/%41", "/%c3"]) assert.not(copyAs({ ...plain, target }, "python").ok, target);
  });

  test("given an incomplete or malformed request, refuses to copy it and says why", () => {
    const request = {
      method: "PUT",
      origin: "https://a.test",
      target: "/",
      protocol: "http/1.1",
      head: "PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n",
      body: new Uint8Array(4),
      bodySize: 9,
    };
    const problem = (change: Partial<CopiedRequest>) => {
      const copied = copyAs({ ...request, body: new Uint8Array(9), ...change }, "curl");
      return copied.ok ? "" : copied.problem;
    };
    assert.is(problem({}), "");
    assert.match(problem({ body: new Uint8Array(4) }), /^Weir kept only 4 of this body's 9 bytes/);
    assert.match(problem({ method: "CONNECT", target: "a.test:443" }), /cannot be sent again/);
    assert.match(problem({ origin: "https://a.test/x y" }), /cannot be sent again/);
    assert.match(problem({ target: "/ --output x" }), /spaces/);
    assert.match(problem({ head: "PUT / HTTP/1.1\r\n@file: x\r\n\r\n" }), /malformed/);
    assert.match(problem({ body: new Uint8Array(400_000), bodySize: 400_000 }), /too long/);
  });

  test("given a Host header, copies it to Python only if it differs from the URL's host", () => {
    const request = { method: "GET", origin: "https://a.test:81", target: "/", protocol: "http/1.1", bodySize: 0 };
    const textWith = (host: string) => {
      const head = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const copied = copyAs({ ...request, head, body: new Uint8Array() }, "python");
      assert.ok(copied.ok);
      return copied.ok ? copied.value : "";
    };
    assert.not.match(textWith("a.test:81"), /"Host"/);
    assert.match(textWith("b.test"), /"Host": "b\.test"/);
  });

  test("given headers for the proxy, does not copy them", () => {
    const head =
      "GET / HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nAuthorization: Bearer y\r\n\r\n";
    const request = {
      method: "GET",
      origin: "https://a.test",
      target: "/",
      protocol: "http/1.1",
      head,
      body: new Uint8Array(),
      bodySize: 0,
    };
    const copied = copyAs(request, "curl");
    assert.ok(copied.ok && !/proxy/i.test(copied.value) && copied.value.includes("Bearer y"));
  });
});
