import type { ServerHttp2Stream } from "node:http2";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { http2Server } from "../../support/http2-server.ts";
import { withProxy } from "../../support/test-proxy.ts";
import { runTool, TOOLS_FOLDER } from "../../support/tool.ts";

/** The part of @grpc/grpc-js that is used here. */
interface Grpc {
  readonly Client: new (target: string, credentials: unknown) => GrpcClient;
  readonly credentials: { createSsl(ca: Buffer): unknown; createInsecure(): unknown };
  readonly Server: new () => GrpcServer;
  readonly ServerCredentials: { createInsecure(): unknown };
}

type Identity = (bytes: Buffer) => Buffer;

interface GrpcClient {
  makeUnaryRequest(
    path: string,
    serialize: Identity,
    deserialize: Identity,
    message: Buffer,
    done: (error: Error | null, reply?: Buffer) => void,
  ): void;
  makeBidiStreamRequest(path: string, serialize: Identity, deserialize: Identity): GrpcCall;
  close(): void;
}

interface GrpcCall {
  write(message: Buffer): void;
  end(): void;
  on(event: "data", told: (message: Buffer) => void): void;
  on(event: "status", told: (status: { code: number; details: string }) => void): void;
  on(event: "end" | "error", told: () => void): void;
}

interface GrpcServer {
  addService(definition: object, implementation: object): void;
  bindAsync(address: string, credentials: unknown, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

/** A client that trusts Node.js's own roots alone. It exits, because the library would go on to reconnect. */
const DISTRUSTING = `
const [, from, target] = process.argv;
const { Client, credentials } = require("node:module").createRequire(from)("@grpc/grpc-js");
const same = (bytes) => bytes;
new Client(target, credentials.createSsl()).makeUnaryRequest("/weir.Echo/Unary", same, same, Buffer.from("x"), (error) => {
  console.log(String(error));
  process.exit();
});
`;

const same: Identity = (bytes) => bytes;

function grpc(): Grpc | null {
  try {
    return createRequire(join(TOOLS_FOLDER, "x.js"))("@grpc/grpc-js") as Grpc;
  } catch {
    return null;
  }
}

/** Echoes every message, and fails requests for /weir.Echo/Fail. */
function echoStream(stream: ServerHttp2Stream, headers: { readonly ":path"?: string | undefined }): void {
  if (headers[":path"] === "/weir.Echo/Fail") {
    const status = { "grpc-status": "7", "grpc-message": "no" };
    return stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
  }
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.on("data", (bytes: Buffer) => stream.write(bytes));
  stream.on("end", () => stream.end());
}

async function inGrpcServer({ Server, ServerCredentials }: Grpc): Promise<{ port: number; stop(): void }> {
  const server = new Server();
  const method = (path: string, streams: boolean): object => ({
    path,
    requestStream: streams,
    responseStream: streams,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  });
  const definition = { unary: method("/weir.Echo/Unary", false), both: method("/weir.Echo/Both", true) };
  server.addService(definition, {
    unary: ({ request }: { request: Buffer }, done: (error: null, reply: Buffer) => void) => done(null, request),
    both: (call: GrpcCall) => {
      call.on("data", (message) => call.write(message));
      call.on("end", () => call.end());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { port, stop: () => server.forceShutdown() };
}

async function unary(client: GrpcClient, path: string, message: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, message, (error, reply) =>
      error === null && reply !== undefined ? resolve(reply) : reject(error),
    );
  });
}

/** Sends each message once the previous one was echoed. */
async function conversation(client: GrpcClient, messages: readonly string[]): Promise<unknown[]> {
  return await new Promise((resolve) => {
    const call = client.makeBidiStreamRequest("/weir.Echo/Both", same, same);
    const seen: unknown[] = [];
    const next = (): void => {
      const message = messages[seen.length];
      if (message === undefined) call.end();
      else call.write(Buffer.from(message));
    };
    call.on("data", (message) => {
      seen.push(message.toString());
      next();
    });
    call.on("error", () => {});
    call.on("status", ({ code }) => resolve([...seen, code]));
    next();
  });
}

describe("gRPC", (test) => {
  const library = grpc();
  const skip = library === null ? "needs @grpc/grpc-js" : null;
  const big = Buffer.alloc(1_000_000, "g");

  for (const secure of [true, false]) {
    test(
      `given gRPC ${secure ? "in TLS" : "in clear, with prior knowledge"}, passes on unary calls and streams`,
      () =>
        withProxy({}, async (proxy) => {
          if (library === null) return;
          const server = secure ? await http2Server(proxy, echoStream) : await inGrpcServer(library);
          process.env["grpc_proxy"] = `http://127.0.0.1:${proxy.port}`;
          const { credentials } = library;
          const client = new library.Client(
            `a.test:${server.port}`,
            secure ? credentials.createSsl(Buffer.from(proxy.clientCa)) : credentials.createInsecure(),
          );
          try {
            assert.ok((await unary(client, "/weir.Echo/Unary", big)).equals(big));
            assert.equal(await conversation(client, ["one", "two", "three"]), ["one", "two", "three", 0]);
            if (secure) {
              const error = await unary(client, "/weir.Echo/Fail", big).catch((reason: unknown) => reason);
              assert.match(String(error), /7 PERMISSION_DENIED: no/);
            }
            const { started, requestBody, responseBody } = await proxy.traffic.row(0);
            assert.is(started.protocol, "h2");
            assert.is(started.target, "/weir.Echo/Unary");
            assert.is(requestBody.length, big.length + 5);
            assert.ok(responseBody.equals(requestBody));
          } finally {
            Reflect.deleteProperty(process.env, "grpc_proxy");
            client.close();
            await server.stop();
          }
        }),
      { skip },
    );
  }

  test(
    "given a client that closes because it does not trust the certificate, has a row without a request",
    () => {
      let debug: (line: string) => void = () => {};
      const closed = new Promise<void>((resolve) => {
        debug = (line) => {
          if (line.endsWith(": closed")) resolve();
        };
      });
      return withProxy({ debug }, async (proxy) => {
        const server = await http2Server(proxy, echoStream);
        const { port } = server;
        const env = { grpc_proxy: `http://127.0.0.1:${proxy.port}` };
        const words = ["-e", DISTRUSTING, join(TOOLS_FOLDER, "x.js"), `a.test:${port}`];
        const { output } = await runTool([process.execPath, ...words], TOOLS_FOLDER, { env });
        assert.match(output, "certificate");
        await closed;
        await proxy.listener.stop();
        await server.stop();
        const [row] = proxy.traffic.rows;
        assert.equal([row?.started.target, row?.ended.tags], [`a.test:${port}`, ["tunnel", "no-request"]]);
      });
    },
    { skip },
  );
});
