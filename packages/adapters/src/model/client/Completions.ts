/**
 * Chat completions with fallbacks for what a server does not support: strict schema, schema, JSON, plain text,
 * tools. Decides which feature a rejection is about and remembers it; independent of the question.
 */
import type { AnalysisFailed } from "@winnow/core/ports/Analyst";
import { CurrentTokenMeter } from "@winnow/core/ports/TokenMeter";
import * as Effect from "effect/Effect";
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions";
import {
  type Capabilities,
  type Feature,
  isAboutSchema,
  isNamed,
  isTooLong,
  leftForOutput,
  meet,
  outputLimitIn,
  RESPONSE_MODES,
  type ResponseMode,
  suspects,
  type Usage,
  weakest,
  without
} from "./Capabilities.ts";
import { completionText, type CompletionText } from "./CompletionText.ts";
import { textTokens } from "./TokenEstimate.ts";
import type { KnownCapabilities } from "./KnownCapabilities.ts";
import type { Completion, CompletionRequest } from "./LlmClient.ts";
import {
  filteredByProvider,
  finalFailureOf,
  InputTooLong,
  ModalityRefused,
  modelError,
  refusedByModel,
  type RequestRejected,
  unexplained
} from "./LlmFailures.ts";
import { countTokens } from "./LlmMetrics.ts";
import { call, type Sdk } from "./Sdk.ts";
import { withoutSystemRole } from "./MessageRoles.ts";

export interface Endpoint {
  readonly sdk: Sdk;
  readonly known: KnownCapabilities;
  readonly model: string;
}

/** Maximum requests per completion; each fallback is another one. */
const STEPS_MAX = 10;

/** A server that allows fewer tokens than this for an answer is of no use: the refusal stands. */
const OUTPUT_TOKENS_MIN = 256;

/** The strictest mode that the server supports and the request wants. */
const modeOf = ({ strongest }: CompletionRequest, { responseMode }: Capabilities): ResponseMode =>
  weakest(RESPONSE_MODES, responseMode, strongest);

type ResponseFormat = NonNullable<ChatCompletionCreateParamsNonStreaming["response_format"]>;

const responseFormat = (mode: ResponseMode, request: CompletionRequest): ResponseFormat | null => {
  if (request.schema === null || mode === "prompt_only" || mode === "tool_call") return null;
  if (mode === "json_object") return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: "answer", schema: { ...request.schema }, strict: mode === "strict_schema" }
  };
};

const TOOL = "answer";

/** For models that answer with a tool call, whose arguments are the answer. */
const toolsOf = (mode: ResponseMode, { schema }: CompletionRequest) =>
  mode !== "tool_call" || schema === null
    ? {}
    : {
        tools: [{ type: "function" as const, function: { name: TOOL, parameters: { ...schema } } }],
        tool_choice: { type: "function" as const, function: { name: TOOL } }
      };

const bodyOf = (
  model: string,
  request: CompletionRequest,
  capabilities: Capabilities
): ChatCompletionCreateParamsNonStreaming => {
  const mode = modeOf(request, capabilities);
  const format = responseFormat(mode, request);
  const { tokenLimit, temperature, turns, outputTokensMax } = capabilities;
  const outputTokens = Math.min(request.maxOutputTokens, outputTokensMax ?? request.maxOutputTokens);
  return {
    model,
    messages: turns ? [...request.messages] : [...withoutSystemRole(request.messages)],
    ...(format === null ? {} : { response_format: format }),
    ...toolsOf(mode, request),
    ...(tokenLimit === "none" ? {} : { [tokenLimit]: outputTokens }),
    ...(temperature ? { temperature: 0 } : {})
  };
};

const usageOf = (request: CompletionRequest, capabilities: Capabilities): Usage => {
  const types = new Set(
    request.messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : []))
  );
  return {
    responseMode: request.schema === null ? "prompt_only" : modeOf(request, capabilities),
    image: types.has("image_url"),
    audio: types.has("input_audio")
  };
};

const NO_ANSWER = modelError("The language model returned no output.");

/** A refusal is final for this content: asking again would cost and not help. */
const read = Effect.fnUntraced(function* (answer: CompletionText | null) {
  if (answer === null) return yield* NO_ANSWER;
  const { text, isCut, refusal } = answer;
  if (refusal !== null) return yield* refusal === "filtered" ? filteredByProvider : refusedByModel;
  return { text, isCut } satisfies Completion;
});

const isModality = (feature: Feature): feature is "image" | "audio" =>
  feature === "image" || feature === "audio";

/** State of a completion across its fallbacks. */
interface Step {
  readonly request: CompletionRequest;
  readonly capabilities: Capabilities;
  /** What to remember if the next attempt succeeds. */
  readonly suspected: Capabilities;
}

/** Text only; images and audio are covered by the reserve. */
const inputTokensOf = (messages: ReadonlyArray<ChatCompletionMessageParam>): number =>
  messages.reduce((sum, { content }) => {
    const texts = typeof content === "string" ? [content] : Array.isArray(content) ? content : [];
    const words = texts.map((part) =>
      typeof part === "string" ? part : part.type === "text" ? part.text : ""
    );
    return sum + textTokens(words.join(""));
  }, 0);

/** Tokens left for the answer, if the input fits but input and answer together do not. */
const shorter = (request: CompletionRequest, refused: RequestRejected): CompletionRequest | null => {
  const left = leftForOutput(refused, inputTokensOf(request.messages));
  const maxOutputTokens = left === null ? 0 : left - Math.ceil(left * 0.05);
  const helps = maxOutputTokens >= OUTPUT_TOKENS_MIN && maxOutputTokens < request.maxOutputTokens;
  return helps ? { ...request, maxOutputTokens } : null;
};

const BREAKING_MODES: ReadonlySet<ResponseMode> = new Set(["strict_schema", "json_schema"]);

/** Some servers fail on schemas but respond without one. */
const afterBreaking = (step: Step, usage: Usage): Step | null => {
  if (!BREAKING_MODES.has(usage.responseMode)) return null;
  const capabilities = { ...step.capabilities, responseMode: "json_object" as const };
  return { ...step, capabilities, suspected: meet(step.suspected, capabilities) };
};

const limited =
  (limit: number) =>
  (now: Capabilities): Capabilities => ({ ...now, outputTokensMax: limit });

const stepDown = Effect.fnUntraced(function* (
  known: KnownCapabilities,
  step: Step,
  refused: RequestRejected
) {
  const { request, capabilities, suspected } = step;
  const usage = usageOf(request, capabilities);
  if (refused.status === 500) return afterBreaking(step, usage) ?? (yield* unexplained(refused));
  const limit = outputLimitIn(
    refused,
    Math.min(request.maxOutputTokens, capabilities.outputTokensMax ?? Infinity)
  );
  if (limit !== null && !/context/iu.test(refused.words)) {
    yield* known.learn(limited(limit));
    return { ...step, capabilities: limited(limit)(capabilities), suspected: limited(limit)(suspected) };
  }
  if (isTooLong(refused)) {
    const shortened = shorter(request, refused);
    return shortened === null ? yield* new InputTooLong() : { ...step, request: shortened };
  }
  const [feature] = suspects(capabilities, refused, usage);
  const isFeatureNamed = feature !== undefined && isNamed(refused, feature);
  const final = finalFailureOf(refused);
  if (final !== null && !(isFeatureNamed && final.reason === "model_unavailable")) return yield* final;
  if (feature === undefined || (refused.status === 404 && !isFeatureNamed))
    return yield* unexplained(refused);
  // The current mode may already be below the known one, if the request started lower.
  const next = without({ ...capabilities, responseMode: usage.responseMode }, feature);
  if (isModality(feature)) {
    yield* known.learn((now) => without(now, feature));
    return yield* new ModalityRefused({ modality: feature });
  }
  if (feature === "responseMode" && isAboutSchema(refused)) return { ...step, capabilities: next };
  if (!isFeatureNamed) return { ...step, capabilities: next, suspected: meet(suspected, next) };
  yield* known.learn((now) => meet(now, without(capabilities, feature)));
  return { ...step, capabilities: next };
});

/** A model that only answers with tool calls. */
const withTools = (
  { request, capabilities, suspected }: Step,
  answer: CompletionText | null
): Step | null => {
  const isSilent = answer !== null && answer.text.trim() === "" && !answer.isCut && answer.refusal === null;
  if (!isSilent || request.schema === null || modeOf(request, capabilities) === "tool_call") return null;
  const calling = { responseMode: "tool_call" as const };
  return { request, capabilities: { ...capabilities, ...calling }, suspected: { ...suspected, ...calling } };
};

/** A report of less than half the estimate is no count: some servers report nothing, or a constant. */
const believed = (reported: number, estimated: number): number =>
  reported < estimated / 2 ? estimated : reported;

const tokensOf = (estimatedInput: number, sent: CompletionText | null): number =>
  believed(sent?.inputTokens ?? 0, estimatedInput) +
  (sent === null ? 0 : believed(sent.outputTokens, textTokens(sent.text)));

/**
 * Counts the tokens of a call. Interruption and the time limit leave the estimate of its input, which the provider
 * has read by then; a request that fails otherwise costs nothing.
 */
const counted = <
  A extends { readonly completion: CompletionText | null },
  E extends { readonly _tag: string }
>(
  estimatedInput: number,
  sending: Effect.Effect<A, E>
): Effect.Effect<A, E | AnalysisFailed> =>
  Effect.gen(function* () {
    const meter = yield* CurrentTokenMeter;
    yield* meter.reserve(estimatedInput);
    return yield* sending.pipe(
      Effect.tap(({ completion: sent }) => meter.correct(tokensOf(estimatedInput, sent) - estimatedInput)),
      Effect.tapError((failure) =>
        "reason" in failure && failure.reason === "timeout" ? Effect.void : meter.correct(-estimatedInput)
      )
    );
  });

export const completion = ({ sdk, known, model }: Endpoint) =>
  Effect.fn("LlmClient.complete")(function* (request: CompletionRequest) {
    const schema = request.schema === null ? null : JSON.stringify(request.schema);
    const first = yield* known.getFor(schema);
    let step: Step = { request, capabilities: first, suspected: first };
    for (let tries = 1; ; tries++) {
      const body = bodyOf(model, step.request, step.capabilities);
      const answer = yield* counted(
        inputTokensOf(step.request.messages) + textTokens(schema ?? ""),
        call(
          sdk,
          model,
          async (client, signal) => ({
            completion: completionText(await client.chat.completions.create(body, { signal }))
          }),
          (sent) => sent.completion?.isCut === true
        )
      ).pipe(
        Effect.catchTag("RequestRejected", (refused) =>
          tries >= STEPS_MAX ? Effect.fail(unexplained(refused)) : stepDown(known, step, refused)
        )
      );
      if ("capabilities" in answer) {
        step = answer;
        continue;
      }
      const sent = answer.completion;
      yield* countTokens(model, { input: sent?.inputTokens ?? 0, output: sent?.outputTokens ?? 0 });
      const calling = tries >= STEPS_MAX ? null : withTools(step, sent);
      if (calling !== null) {
        step = calling;
        continue;
      }
      const { suspected } = step;
      if (suspected !== first) yield* known.learnFor(schema, (now) => meet(now, suspected));
      return yield* read(sent);
    }
  });
