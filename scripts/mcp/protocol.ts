/*
 * The part of the Model Context Protocol that a server with tools needs: JSON-RPC 2.0, one message per line. Revision
 * 2026-07-28 has no handshake: each request names it in `_meta`, and a request without it is of an earlier revision
 * (specification/2026-07-28/basic/versioning, Backward Compatibility). No library is used, because the protocol's SDK
 * includes a web server and only six methods are needed.
 */

import { isRecord, untrustedJsonOf } from "../../src/engine/model/json.ts";
import { failure as failed, type Result, success as succeeded } from "../../src/engine/model/result.ts";
import { LONGEST_LINE } from "./lines.ts";

/** A tool that a client can call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  /** Returns the texts of the result; throws an error whose message says why the call was refused. */
  readonly call: (given: Readonly<Record<string, unknown>>) => Promise<readonly string[]>;
}

/** JSON Schema of a tool's arguments. This file checks their names, and the tool checks their values. */
export interface ToolSchema {
  readonly type: "object";
  readonly properties: object;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** What the server tells about itself. */
export interface Server {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** The revision without a handshake. */
const STATELESS = "2026-07-28";

/** Revisions with a handshake (`initialize`), the newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Keys in `_meta` (specification/2026-07-28/basic, `_meta`). */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/**
 * How long a client may keep the tools and what the server tells about itself: they change with Weir's version only.
 */
const CACHED = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Error codes (JSON-RPC 2.0, 5.1). */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
/** Error code of revision 2026-07-28. */
const UNSUPPORTED_VERSION = -32_022;

type Id = string | number | null;

/**
 * The response to one line (without its line end; `null`: a line that was too long to be kept); `null` if no response
 * is due, as for a notification.
 */
export async function answerTo(line: string | null, server: Server): Promise<string | null> {
  if (line === null) return failure(null, INVALID_REQUEST, `This line has more than ${LONGEST_LINE} characters.`);
  const message = untrustedJsonOf(line);
  if (message === undefined) return failure(null, PARSE_ERROR, "This line is not JSON, or is nested too deeply.");
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || typeof message["method"] !== "string") {
    // A response is ignored, because the server sends no requests.
    if (isRecord(message) && ("result" in message || "error" in message)) return null;
    return failure(null, INVALID_REQUEST, "This is not a JSON-RPC 2.0 request.");
  }
  const { id, method, params } = message;
  if (id === undefined) return null;
  if (typeof id !== "string" && typeof id !== "number")
    return failure(null, INVALID_REQUEST, "The id is neither a string nor a number.");
  const given = isRecord(params) ? params : {};
  const meta = isRecord(given["_meta"]) ? given["_meta"] : {};
  const revision = meta[VERSION_KEY];
  if (revision === STATELESS || (method === "server/discover" && revision === undefined))
    return answeredStateless(id, method, given, meta, server);
  if (revision !== undefined && !REVISIONS.some((one) => one === revision))
    return failure(id, UNSUPPORTED_VERSION, "Unsupported protocol version", {
      supported: [STATELESS, ...REVISIONS],
      requested: revision,
    });
  return answered(id, method, given, server);
}

type Params = Readonly<Record<string, unknown>>;

/** Answers a request of revision 2026-07-28, by that request alone. */
async function answeredStateless(
  id: Id,
  method: string,
  params: Params,
  meta: Params,
  server: Server,
): Promise<string> {
  const { name, version, instructions } = server;
  if (typeof meta[VERSION_KEY] !== "string" || !isRecord(meta[CAPABILITIES_KEY]))
    return failure(id, INVALID_PARAMS, `_meta needs ${VERSION_KEY} and ${CAPABILITIES_KEY}.`);
  const complete = (result: object) =>
    success(id, { resultType: "complete", ...result, _meta: { [SERVER_KEY]: { name, version } } });
  switch (method) {
    case "server/discover":
      return complete({
        supportedVersions: [STATELESS, ...REVISIONS],
        capabilities: { tools: {} },
        instructions,
        ...CACHED,
      });
    case "tools/list":
      return complete({ tools: listed(server), ...CACHED });
    case "tools/call": {
      const result = await resultOfCall(params, server);
      return result.ok ? complete(result.value) : failure(id, INVALID_PARAMS, result.problem);
    }
    default:
      return failure(id, UNKNOWN_METHOD, `There is no method ${method}.`);
  }
}

/** Answers a request of an earlier revision. */
async function answered(id: Id, method: string, params: Params, server: Server): Promise<string> {
  const { name, version, instructions } = server;
  switch (method) {
    case "initialize": {
      const protocolVersion = REVISIONS.find((one) => one === params["protocolVersion"]) ?? REVISIONS[0];
      return success(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions });
    }
    case "ping":
      return success(id, {});
    case "tools/list":
      return success(id, { tools: listed(server) });
    case "tools/call": {
      const result = await resultOfCall(params, server);
      return result.ok ? success(id, result.value) : failure(id, INVALID_PARAMS, result.problem);
    }
    default:
      return failure(id, UNKNOWN_METHOD, `There is no method ${method}.`);
  }
}

function listed({ tools }: Server): readonly object[] {
  return tools.map(({ call: _, ...shown }) => ({ ...shown, annotations: { readOnlyHint: true } }));
}

/** Calls the tool that the parameters name. An unknown tool, and arguments that are no object, are failures. */
async function resultOfCall(params: Params, { tools }: Server): Promise<Result<object>> {
  const tool = tools.find((one) => one.name === params["name"]);
  if (tool === undefined) return failed(`There is no tool ${JSON.stringify(params["name"])}.`);
  const given = params["arguments"] ?? {};
  return isRecord(given) ? succeeded(await called(tool, given)) : failed("The arguments are not an object.");
}

/** Calls a tool. A refusal is a result with a sentence that the model can read, not an error of the protocol. */
async function called(tool: Tool, given: Readonly<Record<string, unknown>>): Promise<object> {
  try {
    checkNames(tool, Object.keys(given));
    return { content: textsOf(await tool.call(given)) };
  } catch (error) {
    return { content: textsOf([error instanceof Error ? error.message : String(error)]), isError: true };
  }
}

function checkNames({ name, inputSchema }: Tool, given: readonly string[]): void {
  const known = Object.keys(inputSchema.properties);
  const unknown = given.find((one) => !known.includes(one));
  if (unknown !== undefined) throw new Error(`${name} takes ${known.join(", ")}, not ${JSON.stringify(unknown)}.`);
  const missing = inputSchema.required.find((one) => !given.includes(one));
  if (missing !== undefined) throw new Error(`${name} needs ${missing}.`);
}

function textsOf(texts: readonly string[]): readonly object[] {
  return texts.map((text) => ({ type: "text", text }));
}

function success(id: Id, result: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function failure(id: Id, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}
