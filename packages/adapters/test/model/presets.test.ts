/** What is asked of each kind of server, and what next, if it refuses that: what was found out is not tried again. */
import { assert, describe, it } from "@effect/vitest";
import type { JsonObject } from "@winnow/core/domain/json-schema/SchemaRules";
import * as Effect from "effect/Effect";
import { LLM_PRESETS, type LlmPreset, presetOf } from "../../src/model-server/ServerPresets.ts";
import { ANSWER, answerOf, askedOf } from "./OddAnalysis.ts";
import { completed, type Odd, type OddAnswer, refusing } from "./OddServer.ts";

const schemaOf = (name: string): JsonObject => ({
  type: "object",
  properties: { title: { type: "string" }, [name]: { type: "number" } },
  required: ["title"],
  additionalProperties: false
});

const good = completed(ANSWER);

const refusal =
  (isRefused: (body: any) => boolean, message: string, more: object = {}): Odd =>
  (body) =>
    isRefused(body) ? refusing(400, message, more) : good;

const typeOf = (body: any): string | undefined => body.response_format?.type;
const isStrict = (body: any): boolean => body.response_format?.json_schema?.strict === true;
const roles = (body: any): ReadonlyArray<string> => body.messages.map(({ role }: any) => role);
const isTurns = (body: any): boolean =>
  roles(body).every((role, place, all) => role !== all[place - 1]) && roles(body)[0] === "user";

const LIMITS = ["max_completion_tokens", "max_tokens"];

/** A request in words: the way to JSON, the limit of the answer, and what else is not as it is at first. */
const wordsOf = (body: any): string => {
  if (Object.keys(body).join() === "model,messages" && isTurns(body)) return "bare";
  const mode = isStrict(body) ? "strict" : (typeOf(body) ?? (body.tools === undefined ? "prompt" : "tool"));
  const limits = LIMITS.flatMap((name) => (body[name] === undefined ? [] : [`${name} ${body[name]}`]));
  const less = [
    ...(body.temperature === undefined ? ["no temperature"] : []),
    ...(roles(body).includes("system") ? [] : ["turns"]),
    ...(body.stream === true ? [] : ["whole"])
  ];
  return [mode, ...limits, ...less].join(", ");
};

const calledWith = (given: unknown): OddAnswer =>
  completed(
    null,
    { finish_reason: "tool_calls" },
    { tool_calls: [{ id: "1", type: "function", function: { name: "answer", arguments: given } }] }
  );

const onlyTools =
  (given: unknown): Odd =>
  (body) =>
    body.tools === undefined ? completed("") : calledWith(given);

const FIRST = "strict, max_completion_tokens 8192";
const FIRST_BY_OLD_NAME = "strict, max_tokens 8192";
const BARE_AT_LAST = [
  FIRST,
  "json_object, max_completion_tokens 8192",
  "prompt, max_completion_tokens 8192",
  "bare"
];

/** What each server refuses, and the requests of a first run; a second one only repeats the last. */
const SERVERS: ReadonlyArray<readonly [LlmPreset, refuses: string, Odd, trail: ReadonlyArray<string>]> = [
  [
    "openai",
    "the old token limit, and the temperature of a reasoning model",
    (body) => {
      if (body.max_tokens !== undefined) {
        return refusing(400, "Unsupported parameter: 'max_tokens'.", { param: "max_tokens" });
      }
      return body.temperature === undefined
        ? good
        : refusing(400, "Unsupported value.", { param: "temperature" });
    },
    [FIRST, `${FIRST}, no temperature`]
  ],
  [
    "openai",
    "longer answers than its limit",
    refusal(
      (body) => body.max_completion_tokens > 4_096,
      "max_completion_tokens is too large: 8192. This model supports at most 4096 completion tokens.",
      { param: "max_completion_tokens", code: "invalid_value" }
    ),
    [FIRST, "strict, max_completion_tokens 4096"]
  ],
  [
    "openai",
    "the new token limit",
    refusal((body) => body.max_completion_tokens !== undefined, "Unsupported parameter.", {
      param: "max_completion_tokens",
      code: "unsupported_parameter"
    }),
    [FIRST, FIRST_BY_OLD_NAME]
  ],
  [
    "openai",
    "a schema, in a sentence with the names of its members",
    refusal(
      (body) => typeOf(body) === "json_schema",
      "Invalid schema for response_format 'answer': In context=('properties', 'billing_address', 'flagged', 'temperature', 'max_tokens')",
      { param: "response_format" }
    ),
    [FIRST, "json_object, max_completion_tokens 8192"]
  ],
  [
    "openrouter",
    "the new token limit",
    refusal((body) => body.max_completion_tokens !== undefined, "Unknown parameter: max_completion_tokens."),
    [FIRST_BY_OLD_NAME]
  ],
  [
    "vllm",
    "roles that do not alternate, in its flat form of an error",
    (body) =>
      isTurns(body)
        ? good
        : {
            status: 400,
            body: {
              object: "error",
              message: "Conversation roles must alternate user/assistant/user/assistant/...",
              type: "BadRequestError",
              code: 400
            }
          },
    BARE_AT_LAST
  ],
  [
    "vllm",
    "streams, in FastAPI's form of an error",
    (body) =>
      body.stream === true
        ? {
            status: 422,
            body: { detail: [{ loc: ["body", "stream"], msg: "Extra inputs are not permitted" }] }
          }
        : good,
    [FIRST, `${FIRST}, whole`]
  ],
  // It would not refuse the other name but ignore it.
  ["ollama", "nothing", () => good, [FIRST_BY_OLD_NAME]],
  [
    "llamacpp",
    "a schema from which it can make no grammar",
    refusal(
      (body) => typeOf(body) === "json_schema",
      "Failed to initialize samplers: failed to parse grammar"
    ),
    [FIRST, "json_object, max_completion_tokens 8192"]
  ],
  [
    "lmstudio",
    "json_object, and schemas by a model that cannot follow them",
    (body) =>
      typeOf(body) === undefined
        ? good
        : { status: 400, body: { error: "'response_format.type' must be 'text'" } },
    [FIRST_BY_OLD_NAME, "prompt, max_tokens 8192"]
  ],
  [
    "gemini",
    "a schema, in its list of errors",
    (body) =>
      typeOf(body) === "json_schema"
        ? {
            status: 400,
            body: [
              {
                error: {
                  code: 400,
                  message: `Invalid JSON payload received. Unknown name "additionalProperties" at 'generation_config.response_schema'`
                }
              }
            ]
          }
        : good,
    [FIRST, "json_object, max_completion_tokens 8192"]
  ],
  [
    "other",
    "any response_format, without a reason",
    refusal((body) => typeOf(body) !== undefined, "Bad request"),
    BARE_AT_LAST.slice(0, 3)
  ],
  [
    "other",
    "a role of the system",
    refusal((body) => roles(body).includes("system"), "Role 'system' is not supported by this template."),
    BARE_AT_LAST
  ],
  [
    "other",
    "a role of the system, by its place",
    refusal((body) => roles(body).includes("system"), "Unsupported value", { param: "messages[0].role" }),
    [FIRST, `${FIRST}, turns`]
  ],
  [
    "other",
    "schemas, and any answer but calls of tools",
    (body, number) =>
      typeOf(body) === "json_schema" ? refusing(400, "Bad request") : onlyTools(ANSWER)(body, number),
    [FIRST, "json_object, max_completion_tokens 8192", "tool, max_completion_tokens 8192"]
  ],
  [
    "other",
    "any answer but calls of tools, with a text",
    onlyTools(ANSWER),
    [FIRST, "tool, max_completion_tokens 8192"]
  ],
  [
    "other",
    "any answer but calls of tools, with an object",
    onlyTools(JSON.parse(ANSWER)),
    [FIRST, "tool, max_completion_tokens 8192"]
  ]
];

describe("a server of the preset", () => {
  it.live.each(SERVERS)("%s may refuse %s", ([preset, _refuses, odd, trail]) =>
    Effect.gen(function* () {
      const { results, requests } = yield* askedOf(odd, { preset, runs: 2 });
      for (const { success } of results)
        assert.deepStrictEqual(success?.extraction, { title: "Tomato soup" });
      assert.deepStrictEqual(requests.map(wordsOf), [...trail, trail.at(-1)]);
    })
  );

  it("is tested for every preset", () => {
    assert.deepStrictEqual([...new Set(SERVERS.map(([preset]) => preset))].sort(), [...LLM_PRESETS].sort());
  });

  it.live("that names a parameter is not sent it again until the process ends, which is logged once", () =>
    Effect.gen(function* () {
      const odd = refusal((body) => body.temperature !== undefined, "Unsupported", {
        param: "temperature"
      });
      const schemas = ["a", "b", "c"].map(schemaOf);
      const { requests, lines } = yield* askedOf(odd, { preset: "vllm", schemas });
      assert.deepStrictEqual(
        requests.map(({ temperature }) => temperature),
        [0, undefined, undefined, undefined]
      );
      assert.lengthOf(lines, 1);
      assert.include(lines[0], "rejected a parameter");
    })
  );

  it.live("that rejects one schema after it answered another still gets the next one strictly", () =>
    Effect.gen(function* () {
      const odd = refusal(
        (body) => isStrict(body) && JSON.stringify(body.response_format).includes('"bad"'),
        "Invalid schema for response_format 'answer'",
        { param: "response_format" }
      );
      const schemas = ["good", "bad", "bad", "better"].map(schemaOf);
      const { requests, lines, results } = yield* askedOf(odd, { preset: "openai", schemas });
      assert.isTrue(results.every(({ success }) => success !== undefined));
      assert.deepStrictEqual(requests.map(isStrict), [true, true, false, true, false, true]);
      assert.lengthOf(lines, 0);
    })
  );

  it.live("whose context is short gets half the answer, which is not remembered", () =>
    Effect.gen(function* () {
      const odd: Odd = (body) =>
        body.max_completion_tokens <= 4_096
          ? completed(answerOf({ title: "Tomato soup", servings: null }))
          : refusing(
              400,
              "This model's maximum context length is 8192 tokens. However, you requested more.",
              {
                code: "context_length_exceeded"
              }
            );
      const { result, requests } = yield* askedOf(odd, { preset: "other", runs: 2 });
      assert.strictEqual(result.success?.outcome, "ok");
      const halved = "strict, max_completion_tokens 4096";
      assert.deepStrictEqual(requests.map(wordsOf), [FIRST, halved, FIRST, halved]);
    })
  );

  it.live(
    "that refuses everything without a reason fails the run after the ladder, and nothing is learnt",
    () =>
      Effect.gen(function* () {
        const { result, requests, lines } = yield* askedOf(() => refusing(400, "Bad request"), {
          preset: "vllm"
        });
        assert.strictEqual(
          result.failure?.message,
          "The provider of the language model rejected the request with status 400."
        );
        assert.deepStrictEqual(requests.map(wordsOf), BARE_AT_LAST);
        assert.lengthOf(lines, 0);
      })
  );
});

describe("the preset of an address", () => {
  it.each([
    [null, "openai"],
    ["https://api.openai.com/v1", "openai"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "gemini"],
    ["https://api.openai.com.example/v1", "other"],
    ["http://127.0.0.1:11434/v1", "other"]
  ] as const)("%s is %s", (baseUrl, preset) => {
    assert.strictEqual(presetOf(baseUrl), preset);
  });
});
