/**
 * Chat completions: what the server can do is asked for, and after a rejection one step less, which is remembered.
 * Independent of the question.
 */
import * as Effect from "effect/Effect";
import { CurrentRun } from "@winnow/core/ports/CurrentRun";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionCreateParams
} from "openai/resources/chat/completions";
import { completionText, type CompletionText } from "./CompletionText.ts";
import type { Completion, CompletionRequest } from "./LlmClient.ts";
import {
  filteredByProvider,
  finalFailureOf,
  InputTooLong,
  ModalityRefused,
  modelError,
  refusedByModel,
  unexplained
} from "../../model-server/LlmFailures.ts";
import { countTokens, call, FURTHER_RETRIES_MAX } from "../../model-server/Sdk.ts";
import {
  isTooLong,
  likeliestFeature,
  namedFeature,
  outputLimitIn,
  PARAMETERS,
  type RequestRejection,
  shorterOutput,
  statedContext
} from "../../model-server/RequestRejection.ts";
import type { ServedContext } from "./ServedContext.ts";
import type { Endpoint, ServerCapabilities } from "../../model-server/ServerCapabilities.ts";
import { inputTokensOf, metered, textTokens } from "./TokenCount.ts";
import {
  type Capabilities,
  type Feature,
  RESPONSE_MODES,
  type ResponseMode,
  type TokenLimit,
  type Usage,
  without
} from "../../model-server/ServerPresets.ts";

type Part = ChatCompletionContentPart;

const partsOf = ({ content }: ChatCompletionMessageParam): ReadonlyArray<Part> => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as ReadonlyArray<Part>) : [];
};

/** Text alone becomes a string. */
const message = (role: "user" | "assistant", parts: ReadonlyArray<Part>): ChatCompletionMessageParam => {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = texts.join("\n\n");
  if (role === "assistant") return { role, content: text };
  return { role, content: texts.length === parts.length ? text : [...parts] };
};

/** The system message is prepended to the first user message; consecutive messages of one role are joined. */
const withoutSystemRole = (
  messages: ReadonlyArray<ChatCompletionMessageParam>
): ReadonlyArray<ChatCompletionMessageParam> => {
  const turns: Array<{ readonly role: "user" | "assistant"; readonly parts: Array<Part> }> = [];
  for (const each of messages) {
    const role = each.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...partsOf(each));
    else turns.push({ role, parts: [...partsOf(each)] });
  }
  return turns.map(({ role, parts }) => message(role, parts));
};

interface CompletionEndpoint extends Endpoint {
  readonly context: ServedContext;
  /** Waits until the server has a slot for the request. */
  readonly inTurn: <A, E, R>(sending: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
}

/** Maximum requests per completion; each fallback is another one. */
const STEPS_MAX = 10;

/** The first mode of the server that is not stricter than the request wants. */
const modeOf = ({ strongest }: CompletionRequest, { responseModes }: Capabilities): ResponseMode =>
  responseModes.find((mode) => RESPONSE_MODES.indexOf(mode) >= RESPONSE_MODES.indexOf(strongest)) ??
  "prompt_only";

const limitOf = ({ tokenLimits }: Capabilities): TokenLimit => tokenLimits[0] ?? "none";

type ResponseFormat = NonNullable<ChatCompletionCreateParams["response_format"]>;

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
): ChatCompletionCreateParams => {
  const mode = modeOf(request, capabilities);
  const format = responseFormat(mode, request);
  const { lessThinking, stream, temperature, turns, outputTokensMax } = capabilities;
  const tokenLimit = limitOf(capabilities);
  const outputTokens = Math.min(request.maxOutputTokens, outputTokensMax ?? request.maxOutputTokens);
  return {
    model,
    messages: turns ? [...request.messages] : [...withoutSystemRole(request.messages)],
    ...(format === null ? {} : { response_format: format }),
    ...toolsOf(mode, request),
    ...(tokenLimit === "none" ? {} : { [tokenLimit]: outputTokens }),
    ...(temperature ? { temperature: 0 } : {}),
    ...(request.thinksLess === true && lessThinking !== false ? lessThinking : {}),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {})
  };
};

const usageOf = (request: CompletionRequest, capabilities: Capabilities): Usage => {
  const types = new Set(
    request.messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : []))
  );
  return {
    responseMode: request.schema === null ? null : modeOf(request, capabilities),
    tokenLimit: limitOf(capabilities),
    image: types.has("image_url"),
    audio: types.has("input_audio"),
    lessThinking: request.thinksLess === true && capabilities.lessThinking !== false
  };
};

const NO_ANSWER = modelError("The language model returned no output.");

/** Servers keep a few tokens to themselves. */
const CONTEXT_FULL_SHARE = 0.98;

/** A refusal is final for this content: asking again would cost and not help. */
const read = Effect.fnUntraced(function* (answer: CompletionText | null, contextTokens: number | null) {
  if (answer === null) return yield* NO_ANSWER;
  const { text, inputTokens, isCut, isThoughtAlone, outputTokens, refusal } = answer;
  if (refusal !== null) return yield* refusal === "filtered" ? filteredByProvider : refusedByModel;
  const isContextFull =
    isCut && contextTokens !== null && inputTokens + outputTokens >= CONTEXT_FULL_SHARE * contextTokens;
  return { text, isCut, isContextFull, isThoughtAlone } satisfies Completion;
});

/** A change that is remembered once it helped. */
interface Finding {
  /** As the operator's log names it. */
  readonly parameter: string;
  readonly change: (now: Capabilities) => Capabilities;
}

/** State of a completion across its fallbacks. */
interface Step {
  readonly request: CompletionRequest;
  readonly capabilities: Capabilities;
  readonly found: ReadonlyArray<Finding>;
  /** Retries of the SDK, if they are fewer than usual. */
  readonly maxRetries?: number;
}

const SCHEMA_MODES: ReadonlySet<ResponseMode | null> = new Set(["strict_schema", "json_schema"]);

/** Some servers fail on schemas but respond without one. Nothing is remembered: they also fail for other reasons. */
const withoutSchema = (step: Step, { responseMode }: Usage): Step | null => {
  const responseModes = step.capabilities.responseModes.filter((mode) => !SCHEMA_MODES.has(mode));
  return SCHEMA_MODES.has(responseMode)
    ? {
        ...step,
        capabilities: { ...step.capabilities, responseModes },
        maxRetries: FURTHER_RETRIES_MAX
      }
    : null;
};

const withFinding = (step: Step, finding: Finding, isOfServer: boolean): Step => ({
  ...step,
  capabilities: finding.change(step.capabilities),
  found: isOfServer ? [...step.found, finding] : step.found
});

/** What the server has answered in this process; a rejection of the same says nothing about the server. */
const wasAnswered = ({ answered }: ServerCapabilities, feature: Feature, usage: Usage): boolean =>
  answered.has(feature === "responseMode" ? `${usage.responseMode}` : feature);

/** Remembers what an answered request used, and what led to it. */
const noteAnswered = Effect.fnUntraced(function* (server: ServerCapabilities, step: Step) {
  const { responseMode, image, audio } = usageOf(step.request, step.capabilities);
  if (responseMode !== null) server.answered.add(responseMode);
  if (image) server.answered.add("image");
  if (audio) server.answered.add("audio");
  for (const { parameter, change } of step.found) yield* server.reject(parameter, change);
});

const stepDown = Effect.fnUntraced(function* (
  { server, context }: CompletionEndpoint,
  step: Step,
  refused: RequestRejection
) {
  const { request, capabilities } = step;
  const usage = usageOf(request, capabilities);
  if (refused.status === 500) return withoutSchema(step, usage) ?? (yield* unexplained(refused));
  const requestedTokens = Math.min(request.maxOutputTokens, capabilities.outputTokensMax ?? Infinity);
  const limit = outputLimitIn(refused, requestedTokens);
  // The number may have meant something else: then it does not help.
  if (limit !== null) {
    const change = (now: Capabilities): Capabilities =>
      (now.outputTokensMax ?? Infinity) > limit ? { ...now, outputTokensMax: limit } : now;
    return withFinding(step, { parameter: `${usage.tokenLimit} above ${limit}`, change }, true);
  }
  if (isTooLong(refused)) {
    const contextTokens = statedContext(refused);
    if (contextTokens !== null) yield* context.learn(contextTokens);
    const maxOutputTokens = shorterOutput(requestedTokens, inputTokensOf(request.messages));
    if (maxOutputTokens === null) {
      return yield* new InputTooLong(contextTokens === null ? {} : { contextTokens });
    }
    return { ...step, request: { ...request, maxOutputTokens } };
  }
  const named = namedFeature(capabilities, refused, usage);
  const final = finalFailureOf(refused);
  if (final !== null && !(named !== null && final.reason === "model_unavailable")) return yield* final;
  const isGuessed = server.preset === "other" && refused.status !== 404;
  const feature = named ?? (isGuessed ? likeliestFeature(capabilities, usage) : null);
  if (feature === null) return yield* unexplained(refused);
  const parameter = PARAMETERS[feature];
  const change = (now: Capabilities): Capabilities => without(now, feature, usage);
  const isOfServer = !wasAnswered(server, feature, usage);
  if (feature === "image" || feature === "audio") {
    if (isOfServer) yield* server.reject(parameter, change);
    return yield* new ModalityRefused({ modality: feature });
  }
  return withFinding(step, { parameter, change }, isOfServer);
});

const toTools = (now: Capabilities): Capabilities =>
  now.responseModes[0] === "tool_call" ? now : { ...now, responseModes: ["tool_call"] };

/** For models that only answer with tool calls. */
const withTools = (server: ServerCapabilities, step: Step, answer: CompletionText | null): Step | null => {
  const { request, capabilities } = step;
  // One that wrote its thoughts only would write no other answer into a tool call.
  const isSilent =
    answer !== null &&
    answer.text.trim() === "" &&
    !answer.isCut &&
    !answer.isThoughtAlone &&
    answer.refusal === null;
  const isPossible = request.schema !== null && capabilities.responseModes.includes("tool_call");
  if (!isSilent || !isPossible || modeOf(request, capabilities) === "tool_call") return null;
  const isOfServer = !wasAnswered(server, "responseMode", usageOf(request, capabilities));
  return withFinding(step, { parameter: PARAMETERS.responseMode, change: toTools }, isOfServer);
};

/** The answer's text, a stream or not: what the server makes of the request is read either way. */
const wholeText = async (sending: { readonly asResponse: () => Promise<Response> }): Promise<string> =>
  (await sending.asResponse()).text();

/** For the result, the metrics and the trace (OpenTelemetry's conventions for generative AI). */
const noteUsage = Effect.fnUntraced(function* (
  { model, server }: CompletionEndpoint,
  sent: CompletionText | null
) {
  const { meter } = yield* CurrentRun;
  const tokens = { input: sent?.inputTokens ?? 0, output: sent?.outputTokens ?? 0 };
  yield* countTokens(model, tokens);
  const [inputTokens, outputTokens] = [tokens.input || null, tokens.output || null];
  yield* meter.report({ inputTokens, outputTokens, requests: 1, audioSeconds: null });
  yield* Effect.annotateCurrentSpan({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": server.preset,
    "gen_ai.request.model": model,
    ...(inputTokens === null ? {} : { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens === null ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
    "gen_ai.response.finish_reasons": [sent?.isCut === true ? "length" : "stop"]
  });
});

export const completion = (endpoint: CompletionEndpoint) => {
  const { sdk, server, model, context, inTurn } = endpoint;
  return Effect.fn("LlmClient.complete")(function* (request: CompletionRequest) {
    const schemaText = request.schema === null ? "" : JSON.stringify(request.schema);
    let step: Step = { request, capabilities: yield* server.get, found: [] };
    for (let tries = 1; ; tries++) {
      const body = bodyOf(model, step.request, step.capabilities);
      const retries = step.maxRetries === undefined ? {} : { maxRetries: step.maxRetries };
      const answer = yield* metered(
        inputTokensOf(step.request.messages) + textTokens(schemaText),
        inTurn(
          call(sdk, model, {
            send: async (client, options) => ({
              completion: completionText(
                await wholeText(client.chat.completions.create(body, { ...options, ...retries }))
              )
            }),
            isCut: (sent) => sent.completion?.isCut === true
          })
        )
      ).pipe(
        Effect.catchTag("RequestRejected", (refused) =>
          tries >= STEPS_MAX ? Effect.fail(unexplained(refused)) : stepDown(endpoint, step, refused)
        )
      );
      if ("capabilities" in answer) {
        step = answer;
        continue;
      }
      const sent = answer.completion;
      yield* noteUsage(endpoint, sent);
      const calling = tries >= STEPS_MAX ? null : withTools(server, step, sent);
      if (calling !== null) {
        step = calling;
        continue;
      }
      if (sent !== null) {
        yield* noteAnswered(server, step);
        yield* context.judge(step.request.messages, sent);
      }
      return yield* read(sent, yield* context.tokens);
    }
  });
};
