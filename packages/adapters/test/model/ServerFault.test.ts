/** What the errors of servers mean, in the shapes that they have, whatever a caller's schema calls its members. */
import { assert, describe, it } from "@effect/vitest";
import type * as Schema from "effect/Schema";
import { failedBy, kindBehind } from "../../src/model-server/LlmFailures.ts";
import {
  explained,
  faultOf,
  FaultInside,
  kindOf,
  NO_REFUSAL,
  refusalIn,
  ServerFault
} from "../../src/model-server/ServerFault.ts";
import { PRESETS } from "../../src/model-server/ServerPresets.ts";

const { sayings } = PRESETS.other;

/** The SDK's error for an answer. */
const faultBy = (status: number, body: Schema.Json) =>
  faultOf(Object.assign(new Error(), { status, error: body, headers: new Headers() }));

const meaningOf = (status: number, body: Schema.Json) => {
  const fault = faultBy(status, body);
  const { means, contextTokens } = explained(fault, sayings);
  return { means, param: fault.refusal.param, contextTokens };
};

const error = (more: { readonly [key: string]: Schema.Json }): Schema.Json => ({
  error: { message: "Sorry.", ...more }
});

const ERRORS: ReadonlyArray<readonly [server: string, status: number, body: Schema.Json, means: string]> = [
  ["OpenAI, wrong key", 401, error({ code: "invalid_api_key" }), "denied"],
  ["OpenAI, quota", 429, error({ type: "insufficient_quota", code: "insufficient_quota" }), "quota"],
  ["OpenAI, rate", 429, error({ type: "tokens", code: "rate_limit_exceeded" }), "busy"],
  ["OpenAI, policy", 400, error({ type: "invalid_request_error", code: "invalid_prompt" }), "filtered"],
  ["OpenAI, model", 404, error({ code: "model_not_found" }), "no_model"],
  ["OpenAI, context", 400, error({ param: "messages", code: "context_length_exceeded" }), "too_long"],
  [
    "Azure, filter",
    400,
    error({ code: "invalid_request", innererror: { code: "ResponsibleAIPolicyViolation" } }),
    "filtered"
  ],
  ["Azure, deployment", 404, error({ code: "DeploymentNotFound" }), "no_model"],
  ["LM Studio, model", 400, error({ param: "model" }), "no_model"],
  ["Zhipu, arrears", 429, error({ code: "1113" }), "quota"],
  ["Zhipu, arrears, its code a number", 429, error({ code: 1113 }), "quota"],
  ["Groq, model", 400, error({ code: "model_decommissioned" }), "no_model"],
  ["Groq, size", 413, error({ type: "tokens", code: "rate_limit_exceeded" }), "too_long"],
  ["Groq, an answer beside the schema", 400, error({ code: "json_validate_failed" }), "rejected"],
  [
    "Mistral, context",
    400,
    { object: "error", message: "Sorry.", type: "invalid_request_error", code: "3051" },
    "too_long"
  ],
  [
    "Mistral, model",
    400,
    { object: "error", message: "Sorry.", type: "invalid_model", code: "1500" },
    "no_model"
  ],
  ["vLLM, flat", 400, { object: "error", message: "Sorry.", type: "BadRequestError", code: 400 }, "rejected"],
  ["Ollama, model", 404, error({ type: "not_found_error" }), "rejected"],
  [
    "llama.cpp, context",
    400,
    error({ code: 400, type: "exceed_context_size_error", n_prompt_tokens: 4_318, n_ctx: 4_096 }),
    "too_long"
  ],
  ["llama.cpp, a broken answer", 500, error({ code: 500, type: "server_error" }), "failed"],
  ["LM Studio, text", 400, { error: "Sorry." }, "rejected"],
  ["Gemini, key", 400, [{ error: { code: 400, details: [{ reason: "API_KEY_INVALID" }] } }], "denied"],
  ["OpenRouter, credits", 402, error({ code: 402 }), "quota"],
  [
    "OpenRouter, moderation",
    403,
    error({ code: 403, metadata: { reasons: ["x"], flagged_input: "x" } }),
    "filtered"
  ],
  ["DashScope, arrears", 400, error({ code: "Arrearage" }), "quota"],
  ["DashScope, filter", 400, error({ code: "data_inspection_failed" }), "filtered"],
  ["Moonshot, quota", 429, error({ type: "exceeded_current_quota_error" }), "quota"],
  ["a proxy, text", 502, "Bad gateway", "failed"],
  ["a proxy, nothing", 403, null, "denied"]
];

describe("an error of a server", () => {
  it.each(ERRORS)("is understood by its status, code and type: %s", (_server, status, body, means) => {
    assert.strictEqual(meaningOf(status, body).means, means);
  });

  it.each([
    [error({ param: "response_format" }), "response_format"],
    [{ detail: [{ loc: ["body", "max_completion_tokens"], msg: "Extra inputs" }] }, "max_completion_tokens"],
    [{ message: { detail: [{ loc: ["body", "temperature"], msg: "Extra inputs" }] } }, "temperature"],
    [{ detail: [{ loc: ["response_format", "json_schema", "temperature"] }] }, "response_format"],
    [{ detail: "Not Found" }, null]
  ])("names its parameter: %j", (body, param) => {
    assert.strictEqual(meaningOf(400, body).param, param);
  });

  it.each(sayings)("that has no code is %s by its whole sentence: %s", (means, sentence) => {
    const example = sentence
      .replaceAll("<n>", "9000")
      .replace("<context>", "4,096")
      .replace("<name>", "faster-whisper")
      .replace("…", "try something else");
    const expected = { means, param: null, contextTokens: sentence.includes("<context>") ? 4_096 : null };
    assert.deepStrictEqual(meaningOf(400, error({ message: example })), expected);
    assert.strictEqual(meaningOf(400, error({ message: `A member "${example}"` })).means, "rejected");
  });

  it("states the tokens of the context, by a member or in its sentence", () => {
    assert.strictEqual(
      meaningOf(400, error({ type: "exceed_context_size_error", n_ctx: 4_096 })).contextTokens,
      4_096
    );
    const message =
      "This model's maximum context length is 8,192 tokens. However, you requested 9,000 tokens.";
    assert.strictEqual(meaningOf(400, error({ message })).contextTokens, 8_192);
    assert.strictEqual(
      meaningOf(400, error({ message, code: "context_length_exceeded" })).contextTokens,
      8_192
    );
  });

  it("in an answer with status 200 passes, unless it says otherwise", () => {
    const kind = (fault: Schema.Json) => faultOf(new FaultInside(fault)).kind;
    assert.strictEqual(kind("failed to process audio"), "fault_inside");
    assert.strictEqual(kind({ message: "Overloaded", code: 529 }), "fault_inside");
    assert.strictEqual(kind({ message: "x", code: 400 }), "rejected");
    assert.strictEqual(kind({ message: "x", code: "insufficient_quota" }), "quota");
  });
});

describe("the failure of a run", () => {
  it.each([
    ["denied", "model_error"],
    ["quota", "model_quota"],
    ["filtered", "model_filtered"],
    ["no_model", "model_unavailable"],
    ["busy", "model_error"],
    ["silent", "timeout"],
    ["too_large", "invalid_model_output"],
    ["rejected", "model_error"]
  ] as const)("by a fault of the kind %s is %s, and says which kind it was", (kind, reason) => {
    const failure = failedBy(new ServerFault({ kind, status: 400, refusal: NO_REFUSAL }));
    assert.strictEqual(failure.reason, reason);
    assert.strictEqual(kindBehind(failure), kind === "rejected" ? null : kind);
  });
});

/** Words by which servers name a failure or a parameter, as members of a caller's schema. */
const MEMBERS = [
  "billing_address|insufficient_quota|credit balance|flagged|content_filter|safety system",
  "moderation|api_key_invalid|api key not valid.|model_not_found|model does not exist",
  "context_length_exceeded|maximum context length is 8192 tokens|request (9 tokens) exceeds",
  "too long|rate_limit|temperature|max_tokens is too large: 4096|image_url|input_audio|stream",
  "system|reasoning_effort|timestamp_granularities|language|peg-native"
].flatMap((line) => line.split("|"));

describe("a caller's member names", () => {
  it.each(MEMBERS)("decide nothing about a rejection that quotes them: %s", (member) => {
    const sentences = [
      `Invalid schema for response_format 'answer': In context=('properties', '${member}'), 'default' is not permitted.`,
      `'${member}' is not of type 'object'`,
      `${member}: Unknown name`
    ];
    for (const message of sentences) {
      for (const body of [
        error({ message }),
        { error: message },
        { detail: message },
        { message, code: 400 }
      ]) {
        const { means, param, contextTokens } = meaningOf(400, body);
        assert.deepStrictEqual(
          { means, param, contextTokens },
          { means: "rejected", param: null, contextTokens: null }
        );
        assert.strictEqual(kindOf(429, refusalIn(body)), "busy");
      }
    }
  });
});
