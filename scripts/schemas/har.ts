import { OPCODES } from "../../src/engine/interchange/har-bodies.ts";
import { RECORD_IN_HAR } from "../../src/engine/interchange/har-record.ts";
import { MARKS } from "../../src/engine/model/annotation.ts";
import { ERROR_TYPES, TAGS } from "../../src/engine/model/exchange.ts";
import { RECORD } from "./record.ts";
import { amount, choice, count, flag, listOf, objectOf, orNull, type Schema, text } from "./shapes.ts";

/** An object of HAR 1.2 with Weir's own `fields`, whose names start with `_`. No other field may have such a name. */
function extended(fields: Readonly<Record<string, Schema>>, nested: Readonly<Record<string, Schema>> = {}): Schema {
  const names = Object.keys(fields);
  const known = names.length === 0 ? [] : [{ enum: names }];
  return {
    type: "object",
    properties: { ...nested, ...fields },
    propertyNames: { anyOf: [{ pattern: "^[^_]" }, ...known] },
  };
}

const leftOut = {
  _leftOut: { ...flag("The body was left out of a redacted export; comment says why."), const: true },
};

const cut = { _cut: { ...flag("Only the beginning of the body was kept."), const: true } };

const message: Schema = {
  ...objectOf({
    type: choice(["send", "receive"], "send: by the client; receive: by the server."),
    time: amount("Epoch seconds."),
    opcode: { description: "RFC 6455, 5.2.", enum: [...new Set(Object.values(OPCODES))] },
    data: text("The data of the message; binary data in base64."),
    comment: text("Why the data was left out."),
    ...leftOut,
    ...cut,
  }),
  required: ["type", "time", "opcode", "data"],
};

const entry = extended(
  {
    ...Object.fromEntries(RECORD_IN_HAR.map((name) => [`_${name}`, RECORD[name]])),
    _program: text("The client's program."),
    _slowed: objectOf({
      request: amount("The request's head, in ms."),
      upload: amount("The request's body, in ms."),
      response: amount("The response, in ms."),
    }),
    _error: text("Why the exchange failed, as a sentence."),
    _errorType: choice(ERROR_TYPES, "The kind of failure."),
    _inFlight: { ...flag("The exchange had not ended yet."), const: true },
    _mark: choice(MARKS, "The user's mark."),
    _client: text("The client's address and User-Agent."),
    _reused: orNull(RECORD.reused),
    _tags: listOf({ enum: TAGS }, "Special properties."),
    _initiator: {
      anyOf: [{ type: "object" }, { type: "string" }],
      description:
        "The page, script or style sheet that was proven to cause the request, as Chrome writes it; from a file that was opened, as the file has it.",
    },
    _initiator_detail: { description: "As chrome-har writes it; only from a file that was opened." },
    _initiator_type: { description: "As chrome-har writes it; only from a file that was opened." },
    _priority: { description: "As Chrome writes it; only from a file that was opened." },
    _initialPriority: { description: "As Chrome writes it; only from a file that was opened." },
    _initial_priority: { description: "As WebPageTest writes it; only from a file that was opened." },
    _resourceType: { description: "As Chrome writes it." },
    _webSocketMessages: listOf(message, "As Chrome writes them."),
  },
  {
    request: extended(
      {},
      {
        postData: extended({
          ...cut,
          ...leftOut,
          _encoding: { description: "The encoding of text; present only if the body is not UTF-8.", const: "base64" },
        }),
      },
    ),
    response: extended(
      {},
      {
        content: extended({
          ...cut,
          ...leftOut,
          _undecoded: { ...flag("The size is that of the body before decoding."), const: true },
        }),
      },
    ),
  },
);

/** A HAR file written by Weir: only what goes beyond HAR 1.2 is described. */
export const HAR: Schema = {
  type: "object",
  properties: {
    log: extended(
      {
        _schema: { description: "The version of this description.", const: 1 },
        _leftOut: count("How many bodies and messages a redacted export left out; absent if none.", 1),
      },
      { entries: listOf({ ...entry, required: ["_client", "_reused", "_tags"] }) },
    ),
  },
};
