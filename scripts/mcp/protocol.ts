/*
 * The part of the Model Context Protocol (revision 2025-11-25) that a server with tools needs: JSON-RPC 2.0, one
 * message per line. No library is used, because the protocol's SDK includes a web server and only five methods are
 * needed.
 */

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

/** Revisions that the server supports, the newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** Error codes (JSON-RPC 2.0, 5.1). */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMS = -32_602;

type Id = string | number | null;

/** The response to one line (without its line end); `null` if no response is due, as for a notification. */
export async function answerTo(line: string, server: Server): Promise<string | null> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(null, PARSE_ERROR, "This line is not JSON.");
  }
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || typeof message["method"] !== "string") {
    // A response is ignored, because the server sends no requests.
    if (isRecord(message) && ("result" in message || "error" in message)) return null;
    return failure(null, INVALID_REQUEST, "This is not a JSON-RPC 2.0 request.");
  }
  const { id, method, params } = message;
  if (id === undefined) return null;
  if (typeof id !== "string" && typeof id !== "number")
    return failure(null, INVALID_REQUEST, "The id is neither a string nor a number.");
  return answered(id, method, isRecord(params) ? params : {}, server);
}

async function answered(
  id: Id,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { name, version, instructions, tools }: Server,
): Promise<string> {
  switch (method) {
    case "initialize": {
      const protocolVersion = REVISIONS.find((one) => one === params["protocolVersion"]) ?? REVISIONS[0];
      return success(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions });
    }
    case "ping":
      return success(id, {});
    case "tools/list":
      return success(id, {
        tools: tools.map(({ call: _, ...shown }) => ({ ...shown, annotations: { readOnlyHint: true } })),
      });
    case "tools/call": {
      const tool = tools.find((one) => one.name === params["name"]);
      if (tool === undefined) return failure(id, INVALID_PARAMS, `There is no tool ${JSON.stringify(params["name"])}.`);
      const given = params["arguments"] ?? {};
      if (!isRecord(given)) return failure(id, INVALID_PARAMS, "The arguments are not an object.");
      return success(id, await called(tool, given));
    }
    default:
      return failure(id, UNKNOWN_METHOD, `There is no method ${method}.`);
  }
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

function failure(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
